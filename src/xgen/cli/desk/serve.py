"""`xgen serve`: a page with a program and a model side by side, and checks as one types."""

from __future__ import annotations

import re
import socket
import sys
import webbrowser

import click

from xgen.cli import options, output
from xgen.errors import UsageError
from xgen.extras import installing

EPILOG = """\b
Examples:
  xgen serve --open
  xgen serve --port 9000 --seconds 10 --memory 2048
  xgen serve --embed https://course.example

The page needs no network. Each check runs in a process of its own, with limits of time and memory, and reads no files.
"""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::[0-9]{1,5})?", re.IGNORECASE)


def _origins(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001
    """Accepts origins: a scheme and a host, and nothing that would mean more in a page's policy."""
    for origin in value:
        if not ORIGIN.fullmatch(origin):
            raise click.BadParameter(f"`{origin}` is no origin, which is written https://HOST or https://HOST:PORT.")
    return value


@click.command("serve", short_help="Serve a playground for the browser.", epilog=EPILOG)
@click.option("--port", type=int, callback=options.within(0, 65535), default=8000, show_default=True, help="0: any.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@click.option("--seconds", type=float, callback=options.positive, default=5.0, show_default=True, help="For a check.")
@click.option(
    "--memory",
    type=int,
    callback=options.within(128, 1 << 20),
    default=1024,
    show_default=True,
    help="For a check, in MiB.",
)
@click.option(
    "--embed",
    multiple=True,
    callback=_origins,
    metavar="ORIGIN",
    help="Pages of this origin, such as https://course.example, may show the playground in a frame.",
)
def command(port: int, host: str, show: bool, seconds: float, memory: int, embed: tuple[str, ...]) -> None:
    """Serve a playground: programs and models to write, checked as one types.

    It needs the extra `serve`. Only this machine can reach it unless --host says otherwise; there is no login.
    """
    if sys.platform == "win32":
        raise UsageError("the playground needs limits of processes, which Windows does not have")
    try:
        import uvicorn

        from xgen.serve.app import Playground
    except ImportError as error:
        raise UsageError(f"the playground needs {error.name}", hint=f"`{installing('serve')}` has it") from None
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None
    port = listener.getsockname()[1]
    names = (*LOOPBACK, host) if host in LOOPBACK else (host, socket.gethostname(), *LOOPBACK)
    hosts = tuple(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)
    if host not in LOOPBACK:
        output.complain(f"warning: everybody who reaches {host} can run checks here; there is no login")
    address = f"http://{hosts[-1] if host in LOOPBACK else hosts[0]}/"
    output.emit(f"the playground is at {address} (Ctrl-C ends it)")
    if show:
        webbrowser.open(address)
    app = Playground(hosts, seconds, memory, embed).app()
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_keep_alive=5)).run(sockets=[listener])
