"""The server of the playground: it hands out the page, and asks a process of its own for each answer."""

from __future__ import annotations

import json
import multiprocessing
import os
import secrets
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from xgen.memory.library import list_models
from xgen.resources import package_text, shipped
from xgen.serve import work
from xgen.serve.examples import EXAMPLES, example_text
from xgen.tags import MACHINES, NO_MAP

LARGEST_BODY = 256 << 10
LARGEST_TEXT = 100_000
"""Bytes of a request, and characters of each text in it."""
CONSTRAINTS = 100
"""Constraints that a question goes without."""
WAITING = 40
"""Questions that wait for a process, as many as a class asks at once; more get an error."""
LARGEST_BOUND = 1000


def _bound(value: object) -> bool:
    return type(value) is int and 0 < value <= LARGEST_BOUND


OPTIONS: dict[str, Callable[[object], bool]] = {
    "on": lambda value: isinstance(value, str) and value in (*MACHINES, NO_MAP),
    "unroll": _bound,
    "max_depth": _bound,
    "liveness": lambda value: isinstance(value, bool),
}
"""What a question may also have, and which values: as the options of commands, `on` of C only."""
TASKS = ("check", "explain", "fences")
ASSETS = {
    "codemirror.min.js": ("serve/assets/codemirror.min.js", "text/javascript"),
    "elements.js": ("views/pages/elements.js", "text/javascript"),
    "draw.js": ("views/pages/draw.js", "text/javascript"),
    "calls.js": ("serve/assets/calls.js", "text/javascript"),
    "playground.js": ("serve/assets/playground.js", "text/javascript"),
    "playground.css": ("serve/assets/playground.css", "text/css"),
    "drawing.css": ("views/drawing/drawing.css", "text/css"),
}
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
LOOK = 0.05
"""Seconds between two looks at whether the asker is still there."""


class Playground:
    """What the server knows: its limits, and how many questions are being answered.

    `embed` are the origins of pages that may show the playground in a frame.
    """

    def __init__(self, hosts: tuple[str, ...], seconds: float, memory: int, embed: tuple[str, ...] = ()) -> None:
        self.hosts, self.seconds, self.memory, self.embed = hosts, seconds, memory, embed
        self.free = threading.Semaphore(os.cpu_count() or 1)
        self.asked = 0
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["xgen.serve.work"])

    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/", self.guarded(self.page)),
            Route("/assets/{name}", self.guarded(self.asset)),
            Route("/start", self.guarded(self.start)),
            *(Route(f"/{task}", self.guarded(partial(self.ask, task)), methods=["POST"]) for task in TASKS),
        ]
        return Starlette(routes=routes)

    def guarded(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Refuses requests to other hosts (a page elsewhere that has its name lead here) and adds headers."""

        async def answer(request: Request) -> Response:
            if request.headers.get("host", "") not in self.hosts:
                return JSONResponse({"error": {"message": "this host is not served"}}, 421, HEADERS)
            response = await handler(request)
            response.headers.update(HEADERS)
            return response

        return answer

    async def page(self, request: Request) -> Response:  # noqa: ARG002
        """The page; its policy allows what it came with and nothing else."""
        nonce = secrets.token_urlsafe(16)
        ancestors = " ".join(self.embed) or "'none'"
        policy = (
            f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; connect-src 'self'; "
            "img-src 'self' data:; base-uri 'none'; form-action 'none'; "
            f"frame-ancestors {ancestors}"
        )
        text = package_text("serve/assets/playground.html").replace("{{nonce}}", nonce)
        return HTMLResponse(text, headers={"Content-Security-Policy": policy})

    async def asset(self, request: Request) -> Response:
        """One of the files of the page, by its name."""
        found = ASSETS.get(request.path_params["name"])
        if found is None:
            return JSONResponse({"error": {"message": "not found"}}, 404)
        return Response(package_text(found[0]), media_type=found[1])

    async def start(self, request: Request) -> Response:  # noqa: ARG002
        """The models with their texts, the examples, and the limits."""
        models = {name: (shipped("mcm") / f"{name}.mcm").read_text(encoding="utf-8") for name in list_models()}
        examples = [{**vars(example), "text": example_text(example)} for example in EXAMPLES]
        return JSONResponse(
            {
                "models": models,
                "examples": examples,
                "seconds": self.seconds,
                "memory": self.memory,
                "machines": MACHINES,
            }
        )

    async def ask(self, task: str, request: Request) -> Response:
        """The answer to a question."""
        refused = self.refused(request)
        if refused:
            return refused
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return _error(413, "the request is too large")
        question = _question(task, body)
        if isinstance(question, Response):
            return question
        if self.asked >= WAITING + (os.cpu_count() or 1):
            return _error(429, "too many questions at once: try again")
        self.asked += 1
        gone = threading.Event()
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_watch, request, gone)
                answer = await run_in_threadpool(self.answer, question, gone)
                tasks.cancel_scope.cancel()
        finally:
            self.asked -= 1
        return Response(answer, media_type="application/json")

    def refused(self, request: Request) -> Response | None:
        """What is wrong with a request before its body is read."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _error(415, "questions are JSON")
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self.hosts:
            return _error(403, "questions come from the page of the playground")
        return None

    def answer(self, question: dict[str, Any], gone: threading.Event) -> bytes:
        """What a process says; it is ended once its time is over, or nobody waits for it any more."""
        while not self.free.acquire(timeout=LOOK):
            if gone.is_set():
                return b"{}"
        try:
            return self.run(question, gone)
        finally:
            self.free.release()

    def run(self, question: dict[str, Any], gone: threading.Event) -> bytes:
        """The same with a process to spare."""
        ours, theirs = self.context.Pipe(duplex=False)
        process = self.context.Process(
            target=work.serve_one, args=(theirs, question, self.seconds, self.memory), daemon=True
        )
        process.start()
        theirs.close()
        end = time.monotonic() + self.seconds + 1.0
        try:
            while time.monotonic() < end and not gone.is_set():
                if ours.poll(LOOK):
                    return ours.recv_bytes(work.LARGEST + 1)
            message = f"out of time: a check may take {self.seconds:g} s"
        except (EOFError, OSError):
            message = f"out of memory or time: a check may take {self.memory} MiB and {self.seconds:g} s"
        finally:
            process.kill()
            process.join()
            ours.close()
        return json.dumps({"error": {"message": message}}).encode()


async def _watch(request: Request, gone: threading.Event) -> None:
    """Says so once nobody waits for the answer."""
    try:
        while not await request.is_disconnected():
            await anyio.sleep(LOOK)
        gone.set()
    except anyio.get_cancelled_exc_class():
        gone.set()
        raise


def _question(task: str, body: bytes) -> dict[str, Any] | Response:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return _error(400, "this is not JSON")
    if not isinstance(asked, dict) or not set(asked) <= {"program", "model", "model_text", "without", *OPTIONS}:
        return _error(400, "a question has a program, and a model or a model_text")
    texts = [asked.get("program"), *(asked[name] for name in ("model", "model_text") if asked.get(name) is not None)]
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        return _error(400, "a question has a program, and a model or a model_text")
    without = asked.get("without", [])
    if (
        not isinstance(without, list)
        or len(without) > CONSTRAINTS
        or not all(isinstance(name, str) for name in without)
    ):
        return _error(400, "a question goes without constraints by their names")
    for name, fits in OPTIONS.items():
        if name in asked and not fits(asked[name]):
            return _error(400, f"the option `{name}` cannot have this value")
    if max(map(len, texts)) > LARGEST_TEXT:
        return _error(413, f"a text may have {LARGEST_TEXT} characters")
    return {**asked, "task": task}


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": {"message": message}}, status)
