"""An editor, as far as the language server sees one: messages over its streams, of which it shares no code."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]
LATE = 60.0


class Client:
    """A server of its own, and what is said to it and by it."""

    def __init__(self, *options: str, encodings: tuple[str, ...] = (), folder: Path | None = None) -> None:
        command = [sys.executable, "-m", "xgen", "lsp", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.said: queue.Queue[Message] = queue.Queue()
        self.number, self.versions = 0, dict[str, int]()
        self.diagnostics: dict[str, list[Message]] = {}
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        capabilities: Message = {"workspace": {"codeLens": {"refreshSupport": True}}}
        if encodings:
            capabilities["general"] = {"positionEncodings": list(encodings)}
        started = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.capabilities: Message = started["capabilities"]
        self.tell("initialized", {})

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                line = stream.readline()
            self.said.put(json.loads(stream.read(length)))
        self.said.put({"gone": True})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        message = self.wait(lambda each: each.get("id") == self.number and "method" not in each)
        assert "error" not in message, message
        return message["result"]

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; requests of the server are answered, diagnostics kept."""
        while True:
            message = self.said.get(timeout=LATE)
            assert "gone" not in message, "the server is gone"
            if "id" in message and "method" in message:
                self._send({"id": message["id"], "result": None})
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
            if wanted(message):
                return message

    def told(self, uri: str) -> list[Message]:
        """What is told next to be wrong with a text."""
        self.wait(lambda each: each.get("method") == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri)
        return self.diagnostics[uri]

    def open(self, uri: str, text: str, language: str = "c") -> list[Message]:
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.told(uri)

    def change(self, uri: str, text: str) -> list[Message]:
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.told(uri)

    def save(self, uri: str) -> list[Message]:
        self.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
        return self.told(uri)

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        """What is asked of a place; both count from 0."""
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position})

    def lens(self, uri: str) -> str:
        (lens,) = self.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        assert lens["command"]["command"] == "xgen.check"
        assert lens["command"]["arguments"] == [uri]
        return str(lens["command"]["title"])

    def close(self) -> int:
        """Ends the server; its exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        try:
            return self.process.wait(LATE)
        finally:
            self.thread.join(LATE)
            for stream in (self.process.stdin, self.process.stdout):
                assert stream is not None
                stream.close()
