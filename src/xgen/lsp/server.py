"""The language server itself: what editors ask and are told, by pygls over standard input and output.

Whatever reads a text does so in a process of its own (`work`), which is ended once its text has changed: the server
always has time. What is wrong with a text is told a moment after each change; what goes wrong in the program that it
is, when it is saved, or when one asks for it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from xgen.lsp import words, work
from xgen.lsp.questions import (
    LANGUAGES,
    MODELS,
    PROGRAMS,
    SYSTEMS,
    Answer,
    Fault,
    Question,
    Repair,
    Span,
    Task,
    suffix_of,
)
from xgen.version import __version__

PAUSE = 0.15
"""Seconds without a change after which a text is read."""
LOOK = 0.03
"""Seconds between two looks at whether an answer is still wanted."""
MORE = 2.0
"""Seconds beyond its time limit that a process has to start and to answer."""
CHECK = "xgen.check"
"""The command of the lens: check what is open, by its address."""


@dataclass(eq=False)
class Open:
    """A text that is open in the editor: what was answered of it last, and what is being asked.

    `answer` is one of `version`; where the text has changed since, what it says of places is not told any more.
    `told`: what is wrong, by the addresses of the files that it is wrong in.
    """

    uri: str
    path: str
    answer: Answer | None = None
    version: int | None = None
    checking: bool = False
    gone: threading.Event = field(default_factory=threading.Event)
    told: dict[str, list[tuple[Fault, Any]]] = field(default_factory=dict)


class Editor:
    """What the server knows: the texts that are open, and how what is asked of them is answered."""

    def __init__(self, model: str, seconds: float) -> None:
        self.model, self.seconds = model, seconds
        self.open: dict[str, Open] = {}
        self.tasks = set[asyncio.Task[None]]()
        self.ls = LanguageServer("xgen", __version__)
        self.free = threading.Semaphore(os.cpu_count() or 1)
        self.threads = ThreadPoolExecutor(16)
        methods = multiprocessing.get_all_start_methods()
        self.context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self.context.set_forkserver_preload(["xgen.lsp.work"])
        self.register()

    def register(self) -> None:
        """Tells pygls what there is; it passes each function what the editor says."""
        completion = types.CompletionOptions(trigger_characters=[" ", "-", "="])
        features: list[tuple[str, Any, Callable[[Any], Any]]] = [
            (types.TEXT_DOCUMENT_DID_OPEN, None, self.opened),
            (types.TEXT_DOCUMENT_DID_CHANGE, None, self.changed),
            (types.TEXT_DOCUMENT_DID_SAVE, None, lambda params: self.ask(params.text_document.uri, "save")),
            (types.TEXT_DOCUMENT_DID_CLOSE, None, self.closed),
            (types.TEXT_DOCUMENT_HOVER, None, self.hover),
            (types.TEXT_DOCUMENT_COMPLETION, completion, self.complete),
            (types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]), self.actions),
            (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(), self.lenses),
        ]
        for name, options, function in features:
            self.ls.feature(name, options)(_called(function))
        self.ls.command(CHECK)(_called(self.asked))

    def start(self) -> None:
        """Serves the editor until it goes."""
        try:
            self.ls.start_io()
        finally:
            for document in self.open.values():
                document.gone.set()
            self.threads.shutdown()

    def opened(self, params: Any) -> None:
        """A text is open from now on."""
        item = params.text_document
        path = _path_of(item.uri, item.language_id)
        if suffix_of(path) in (*PROGRAMS, *MODELS, *SYSTEMS):
            self.open[item.uri] = Open(item.uri, path)
            self.ask(item.uri, "read", 0.0)

    def changed(self, params: Any) -> None:
        """A text is another one: what went wrong in the old one is not told any more."""
        self.ask(params.text_document.uri, "read", PAUSE)

    def closed(self, params: Any) -> None:
        """A text is closed, and what was wrong with it no longer told."""
        document = self.open.pop(params.text_document.uri, None)
        if document is not None:
            document.gone.set()
            before, document.told = document.told, {}
            self.publish({*before, document.uri})

    def asked(self, uri: Any) -> None:
        """The lens was clicked."""
        self.ask(str(uri[0] if isinstance(uri, list) else uri), "check")

    def ask(self, uri: str, task: Task, pause: float = 0.0) -> None:
        """Has a text read, or checked, instead of what it was asked for before."""
        document = self.open.get(uri)
        if document is not None:
            document.gone.set()
            document.gone = threading.Event()
            running = asyncio.get_running_loop().create_task(self.answer(document, document.gone, task, pause))
            self.tasks.add(running)
            running.add_done_callback(self.tasks.discard)

    async def answer(self, document: Open, gone: threading.Event, task: Task, pause: float) -> None:
        """Asks a process, and tells what it says, unless something else is asked meanwhile."""
        await asyncio.sleep(pause)
        if gone.is_set():
            return
        texts = {each.path: self.text(each) for each in self.open.values()}
        version = self.ls.workspace.get_text_document(document.uri).version
        question = Question(task, document.path, texts, self.model, self.seconds)
        document.checking = task != "read"
        if document.checking:
            self.refresh()
        found = await asyncio.get_running_loop().run_in_executor(self.threads, self.run, question, gone)
        if found is None or gone.is_set():
            return
        document.checking = False
        if found.faults and not found.names and document.answer is not None:
            found = replace(found, names=document.answer.names)  # of a model that cannot be read just now
        document.answer, document.version = found, version
        before = document.told
        document.told = {}
        for fault in _faults(found, document):
            uri = self.uri_of(fault.span.path if fault.span else document.path)
            document.told.setdefault(uri, []).append((fault, self.diagnostic(fault)))
        self.publish({*before, *document.told, document.uri})
        self.refresh()

    def run(self, question: Question, gone: threading.Event) -> Answer | None:
        """What a process says; it is ended once its time is over, or its answer is not wanted any more."""
        while not self.free.acquire(timeout=LOOK):
            if gone.is_set():
                return None
        ours, theirs = self.context.Pipe(duplex=False)
        process = self.context.Process(target=work.serve_one, args=(theirs, question), daemon=True)
        try:
            process.start()
            theirs.close()
            end = time.monotonic() + question.seconds + MORE
            while time.monotonic() < end and not gone.is_set():
                if ours.poll(LOOK):
                    found: Answer = ours.recv()
                    return found
            return Answer((), f"no answer within {question.seconds:g} s", answered=False)
        except (EOFError, OSError):
            return Answer((), "no answer: there was not enough memory", answered=False)
        finally:
            if process.pid is not None:
                process.kill()
                process.join()
            ours.close()
            self.free.release()

    def text(self, document: Open) -> str:
        """What the editor has, with plain line ends, as texts of files are read."""
        text: str = self.ls.workspace.get_text_document(document.uri).source
        return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("﻿")

    def is_current(self, document: Open) -> bool:
        """Whether the last answer is about the text as it is."""
        version: int | None = self.ls.workspace.get_text_document(document.uri).version
        return document.answer is not None and document.version == version

    def publish(self, changed: set[str]) -> None:
        """Tells the editor what is wrong in some files: what is so by one text or another."""
        for uri in sorted(changed):
            told = [diagnostic for document in self.open.values() for _, diagnostic in document.told.get(uri, ())]
            self.ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=told))

    def refresh(self) -> None:
        """Asks the editor to ask for the lenses again."""
        capabilities = self.ls.client_capabilities.workspace
        if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
            self.ls.workspace_code_lens_refresh(None)

    def uri_of(self, path: str) -> str:
        """The address of a file: as the editor writes it, if it is open there."""
        known = next((each.uri for each in self.open.values() if each.path == path), None)
        return known or str(uris.from_fs_path(os.path.abspath(path)))

    def units(self, text: str) -> int:
        """How many units a text has in the encoding that columns are counted in."""
        encoding = str(getattr(self.ls.workspace.position_encoding, "value", self.ls.workspace.position_encoding))
        sizes = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
        name, size = sizes[encoding]
        return len(text.encode(name, "surrogatepass")) // size

    def range(self, span: Span) -> Any:
        """A part of a line as the protocol says it."""
        first = span.column - 1
        last = first + span.width
        behind = max(0, first - len(span.text))  # at the end of a text, or in a line that is not known
        start = self.units(span.text[:first]) + behind
        end = max(start + 1, self.units(span.text[:last]) + max(0, last - len(span.text)))
        line = max(0, span.line - 1)
        return types.Range(types.Position(line, start), types.Position(line, end))

    def diagnostic(self, fault: Fault) -> Any:
        """Something that is wrong as the protocol says it."""
        severity = types.DiagnosticSeverity
        return types.Diagnostic(
            range=self.range(fault.span or Span("", 1, 1, 1, "")),
            message=fault.message,
            severity=severity.Information if fault.kind == NO_ANSWER else severity.Error,
            code=fault.kind,
            source="xgen",
            related_information=[
                types.DiagnosticRelatedInformation(
                    location=types.Location(self.uri_of(span.path), self.range(span)), message=sentence
                )
                for sentence, span in fault.notes
            ],
        )

    def place(self, document: Open, position: Any) -> tuple[str, int]:
        """The line that a position is in, and the number of characters before it."""
        lines = self.text(document).split("\n")
        line = lines[position.line] if position.line < len(lines) else ""
        column = next((n for n in range(len(line)) if self.units(line[:n]) >= position.character), len(line))
        return line, column

    def hover(self, params: Any) -> Any:
        """What is read and written at a place in the execution of a violation, or what a word means."""
        document = self.open.get(params.text_document.uri)
        if document is None:
            return None
        line, column = self.place(document, params.position)
        said = []
        if document.answer is not None and self.is_current(document):
            for remark in document.answer.remarks:
                span = remark.span
                if (span.path, span.line) == (document.path, params.position.line + 1):
                    said += [remark.text] if span.column - 1 <= column <= span.column - 1 + span.width else []
        names = document.answer.names if document.answer is not None else ()
        told = words.meaning(document.path, words.word_at(line, column), names)
        said = [*dict.fromkeys(said), *([told] if told else [])]
        if not said:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, "\n".join(said)))

    def complete(self, params: Any) -> Any:
        """What the word at the cursor may become."""
        document = self.open.get(params.text_document.uri)
        if document is None:
            return None
        line, column = self.place(document, params.position)
        names = document.answer.names if document.answer is not None else ()
        found = words.completions(document.path, line[:column], names)
        return [types.CompletionItem(label=name, detail=meaning) for name, meaning in dict(found).items()]

    def actions(self, params: Any) -> list[Any]:
        """The orders that races lack, to be written into the text."""
        document = self.open.get(params.text_document.uri)
        if document is None or document.answer is None or not self.is_current(document):
            return []
        found = []
        for repair in document.answer.repairs:
            fault = document.answer.faults[repair.fault]
            places = [fault.span, *(span for _, span in fault.notes), *(span for span, _ in repair.edits)]
            here = [span for span in places if span is not None and self.uri_of(span.path) == document.uri]
            if any(_meet(self.range(span), params.range) for span in here):
                found.append(self.action(repair, fault))
        return found

    def action(self, repair: Repair, fault: Fault) -> Any:
        """A change of texts as the protocol says it."""
        changes: dict[str, list[Any]] = {}
        for span, text in repair.edits:
            changes.setdefault(self.uri_of(span.path), []).append(types.TextEdit(self.range(span), text))
        return types.CodeAction(
            title=repair.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(fault)],
            is_preferred=True,
            edit=types.WorkspaceEdit(changes=changes),
        )

    def lenses(self, params: Any) -> list[Any]:
        """The verdict, in the first line; or what it would be asked under."""
        document = self.open.get(params.text_document.uri)
        if document is None or document.answer is None or document.answer.model is None:
            return []
        answer = document.answer
        title = f"check under {answer.model}"
        if document.checking:
            title = f"checking under {answer.model} ..."
        elif answer.sentence is not None and self.is_current(document):
            title = answer.sentence
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        return [types.CodeLens(start, types.Command(title=title, command=CHECK, arguments=[document.uri]))]


NO_ANSWER = "no-answer"


def _faults(answer: Answer, document: Open) -> Iterator[Fault]:
    """What is wrong, and that there is no answer, in the first line."""
    yield from answer.faults
    if not answer.answered and answer.sentence is not None:
        yield Fault(NO_ANSWER, answer.sentence, Span(document.path, 1, 1, 1, ""))


def _called(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that pygls can mark as its own."""

    def call(params: Any) -> Any:
        return function(params)

    return call


def _path_of(uri: str, language: str) -> str:
    """The file of an address; of a text that is in none yet, a name that says its language."""
    if urlsplit(uri).scheme == "file":
        return str(uris.to_fs_path(uri))
    return os.path.abspath(os.path.basename(urlsplit(uri).path) + (f".{language}" if language in LANGUAGES else ""))


def _meet(one: Any, other: Any) -> bool:
    """Whether two ranges have a place in common."""
    return bool(one.start <= other.end and other.start <= one.end)
