"""Calls NVRTC, NVIDIA's compiler as a library. It is run by itself, with what to do on standard input, in JSON:

    library   the file of the library          text, name   what is compiled, and what it is called
    options   the compiler's                   headers      texts of headers by their names
    kernel    a template's instance, or null

On standard output it says, in JSON: `log`, what the compiler says; `ptx`, or null; `kernel`, what PTX calls the
instance. It imports nothing of xgen: it starts fast, and what the library does can hurt nobody else.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any


class Nvrtc:
    """The library's functions. A file that is none raises OSError."""

    def __init__(self, path: str) -> None:
        folder = os.path.dirname(path)
        if sys.platform == "win32":
            os.add_dll_directory(folder)
        else:  # it looks for this library by name only, and finds it if it is loaded
            for name in sorted(os.listdir(folder)):
                if name.startswith("libnvrtc-builtins.so."):
                    ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(path)

    def call(self, name: str, *arguments: Any) -> int:
        """What a function answers, 0 if all is well."""
        found: int = getattr(self.library, f"nvrtc{name}")(*arguments)
        return found

    def text(self, name: str, program: ctypes.c_void_p) -> str:
        """A text of a program: its log, or its PTX."""
        size = ctypes.c_size_t()
        self.call(f"Get{name}Size", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(max(1, size.value))
        self.call(f"Get{name}", program, buffer)
        return buffer.value.decode("utf-8", "replace")

    def compiled(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What becomes of a text."""
        program, names = ctypes.c_void_p(), list(asked["headers"])
        texts = [_bytes(asked["headers"][name]) for name in names]
        made = self.call(
            "CreateProgram",
            ctypes.byref(program),
            _bytes(asked["text"]),
            _bytes(asked["name"]),
            len(names),
            _array(texts),
            _array([_bytes(name) for name in names]),
        )
        if made:
            return {"log": f"NVRTC cannot be started: error {made}", "ptx": None, "kernel": None}
        kernel = None if asked["kernel"] is None else _bytes(asked["kernel"])
        if kernel is not None:
            self.call("AddNameExpression", program, kernel)
        options = [_bytes(option) for option in asked["options"]]
        failed = self.call("CompileProgram", program, len(options), _array(options))
        log = self.text("ProgramLog", program)
        if failed:
            return {"log": log or f"NVRTC ends with error {failed}", "ptx": None, "kernel": None}
        lowered = ctypes.c_char_p()
        if kernel is not None:
            self.call("GetLoweredName", program, kernel, ctypes.byref(lowered))
        called = None if lowered.value is None else lowered.value.decode()
        return {"log": log, "ptx": self.text("PTX", program), "kernel": called}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _array(texts: list[bytes]) -> Any:
    return (ctypes.c_char_p * len(texts))(*texts) if texts else None


def main() -> None:
    asked = json.load(sys.stdin)
    try:
        answer = Nvrtc(asked["library"]).compiled(asked)
    except (OSError, AttributeError) as error:
        answer = {"log": f"{asked['library']} cannot be used: {error}", "ptx": None, "kernel": None}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
