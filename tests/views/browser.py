"""A real browser for tests: Chromium without a window, spoken to through a pipe (the DevTools protocol)."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""Where Chromium is, or None."""
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--hide-scrollbars", "--remote-debugging-pipe",
]  # fmt: skip


class Browser:
    """One page. Use it in a `with` block."""

    def __init__(self, profile: Path, width: int = 1400, height: int = 900) -> None:
        ours = [os.pipe(), os.pipe()]  # to the browser, and from it
        (theirs_in, self._write), (self._read, theirs_out) = ours

        def connect() -> None:
            """In the new process: the protocol wants its pipes to be 3 and 4."""
            copies = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
            for copy, wanted in zip(copies, (3, 4), strict=True):
                os.dup2(copy, wanted)

        command = [str(CHROMIUM), *OPTIONS, f"--user-data-dir={profile}", f"--window-size={width},{height}"]
        self._process = subprocess.Popen(
            [*command, "about:blank"],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []

    def __enter__(self) -> Browser:
        try:
            target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
            self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.ask("Runtime.enable")
            self.ask("Page.enable")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def ask(self, method: str, **parameters: Any) -> Any:
        """Sends a command and waits for its answer; errors of the page are kept in `errors`."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"]))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, address: str) -> None:
        """Goes to an address and waits until the page is there."""
        self.ask("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Waits until an expression is true; fails after a minute."""
        script = f"""new Promise((done) => {{ const end = Date.now() + 60000; const look = () => {{
            const value = Boolean({condition}); if (value || Date.now() > end) done(value); else setTimeout(look, 20);
            }}; look(); }})"""
        assert self.run(script), f"never true: {condition}"

    def press(self, key: str) -> None:
        """Presses and releases a key, such as `ArrowDown`."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def point(self, selector: str, click: bool = False) -> None:
        """Moves the mouse to the middle of an element, and clicks there."""
        x, y = self.run(
            f"""(() => {{ const part = document.querySelector({json.dumps(selector)});
            part.scrollIntoView({{block: "nearest"}});
            const r = part.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()"""
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased")[: 3 if click else 1]:
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, file: Path, dark: bool = False) -> None:
        """A picture of what is to be seen."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser has gone"
            self._rest += piece
        first, _, self._rest = self._rest.partition(b"\0")
        return json.loads(first)
