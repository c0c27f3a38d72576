"""
`cog-play`: a page in the browser with a text on the left and its level on the right, served from this machine to this machine.

The server listens on 127.0.0.1 only, and answers only requests that name it so: a page from elsewhere cannot use it. It reads no files
but its own page, and writes none. Texts are lowered in a process of its own, which is ended if one takes too long.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import secrets
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from cogir.pictures.highlighting import RULES
from cogir.tools.common import Arguments, add_version, read_input, run_tool
from cogir.tools.diagnostics import ToolError
from cogir.tools.levels import LEVELS, LevelAnswer, LevelRequest, answer, error_of
from cogir.tools.model_files import load_model

DESCRIPTION = """\
Opens a page in the browser that shows a model and its IR at every level side by side.

examples:
  cog-play                       begin with an example
  cog-play model.mlir            begin with a model
  cog-play model.py --port 8000
"""
HERE = Path(__file__).parent / "play"
EXAMPLES = ("decide", "attention", "loop")
HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
"""The names under which a browser may ask for the page."""
LARGEST = 1 << 20
"""The largest request in bytes."""
PATIENCE = 30.0
"""The seconds that lowering a text may take."""


class LoweringProcess:
    """A process that lowers texts, one after the other; it is replaced if a text takes too long."""

    def __init__(self, patience: float = PATIENCE):
        self.patience = patience
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def ask(self, request: LevelRequest) -> LevelAnswer:
        """The answer to a request."""
        with self._lock:
            connection = self._started()
            connection.send(request)
            try:
                if connection.poll(self.patience):
                    return connection.recv()
                reason = f"lowering took more than {self.patience:g} seconds and was stopped; make the model smaller"
            except EOFError:
                reason = "the compiler ended unexpectedly, perhaps for lack of memory; make the model smaller"
            self.stop()
            return LevelAnswer(errors=[error_of(ToolError(reason))])

    def _started(self) -> Connection:
        """The connection to the process, which is started if need be."""
        if self._connection is None or self._process is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=serve, args=(other,), daemon=True)
            self._process.start()
            other.close()
        return self._connection

    def stop(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None


def serve(connection: Connection) -> None:
    """Answers requests until the other side has gone."""
    while True:
        try:
            request = connection.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            found = answer(request)
        except Exception as error:
            # A defect of a pass; the page shows it, and the next request is answered as well.
            found = LevelAnswer(errors=[error_of(ToolError(f"internal error: {type(error).__name__}: {error}; this is a defect of cogir"))])
        connection.send(found)


class PlayHandler(BaseHTTPRequestHandler):
    """Answers the requests of one page."""

    server: PlayServer  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The page; there is nothing else."""
        if not self.is_from_here():
            return
        if self.path != "/":
            self.reply(HTTPStatus.NOT_FOUND, "text/plain", b"there is only one page: /")
            return
        nonce = secrets.token_urlsafe(16)
        policy = f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:"
        self.reply(
            HTTPStatus.OK, "text/html; charset=utf-8", page(self.server.examples, nonce).encode(), {"Content-Security-Policy": policy}
        )

    def do_POST(self) -> None:
        """Lowers a text."""
        if not self.is_from_here():
            return
        given = self.headers.get("Content-Length") or ""
        length = int(given) if given.isdecimal() and len(given) < 20 else -1
        if self.path != "/lower" or self.headers.get_content_type() != "application/json":
            self.refuse(HTTPStatus.NOT_FOUND, "post JSON to /lower")
        elif not 0 <= length <= LARGEST:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a text has at most {LARGEST} bytes")
        else:
            try:
                request = LevelRequest.of(json.loads(self.rfile.read(length)))
            except (ValueError, RecursionError, ToolError) as error:
                self.refuse(HTTPStatus.BAD_REQUEST, str(error))
                return
            found = json.dumps(asdict(self.server.process.ask(request)))
            self.reply(HTTPStatus.OK, "application/json", found.encode())

    def is_from_here(self) -> bool:
        """True if the request names this server, and comes from its page if it comes from one; refuses it otherwise."""
        names = {f"{name}:{self.server.server_port}" for name in NAMES}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") in names and (origin is None or origin.removeprefix("http://") in names):
            return True
        self.refuse(HTTPStatus.FORBIDDEN, f"open http://{HOST}:{self.server.server_port}/")
        return False

    def refuse(self, status: HTTPStatus, message: str) -> None:
        """Answers with a message, and reads nothing more from the connection."""
        self.close_connection = True
        self.reply(status, "text/plain; charset=utf-8", message.encode(errors="replace"), {"Connection": "close"})

    def reply(self, status: HTTPStatus, content: str, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Sends an answer."""
        self.send_response(status)
        fixed = {
            "Content-Type": content,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        for name, value in {**fixed, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


class PlayServer(ThreadingHTTPServer):
    """The server of the page."""

    daemon_threads = True

    def __init__(self, examples: Mapping[str, str], port: int = 0, patience: float = PATIENCE):
        self.examples = examples
        self.process = LoweringProcess(patience)
        super().__init__((HOST, port), PlayHandler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/"

    def server_close(self) -> None:
        super().server_close()
        self.process.stop()


def page(examples: Mapping[str, str], nonce: str) -> str:
    """The page with its texts and the rules by which it colours them."""
    rules = [{"name": rule.name, "pattern": rule.pattern} for rule in RULES]
    data = json.dumps({"rules": rules, "levels": LEVELS, "level": "machine", "examples": examples}).replace("<", "\\u003c")
    return (HERE / "page.html").read_text(encoding="utf-8").replace("{{nonce}}", nonce).replace("{{data}}", data)


def texts(model: str | None) -> dict[str, str]:
    """The texts to choose from: the one that is given, and the examples."""
    examples = {name: (HERE / f"{name}.mlir").read_text(encoding="utf-8") for name in EXAMPLES}
    return examples if model is None else {Path(model).name: text_of(model), **examples}


def text_of(model: str) -> str:
    """The text of a model, as it is written if it is a text."""
    return read_input(model)[0] if model.endswith(".mlir") else f"{load_model(model).ir()}\n"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Arguments("cog-play", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("model", nargs="?", help="a file .mlir, or a model in Python as for cog-run")
    made.add_argument("--port", type=int, default=0, metavar="N", help="the port (default: a free one)")
    made.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    add_version(made)
    return made


def run(arguments: Sequence[str] | None) -> int:
    """Serves the page until Ctrl-C."""
    args = parser().parse_args(arguments)
    if not 0 <= args.port < 1 << 16:
        raise ToolError(f"--port: {args.port} is no port; give a number from 0 to 65535")
    try:
        server = PlayServer(texts(args.model), args.port)
    except OSError as error:
        raise ToolError(f"--port: port {args.port} cannot be used: {error.strerror}; give another one, or 0 for a free one") from error
    with server:
        print(f"cog-play: {server.address} (Ctrl-C ends it)", flush=True)
        if not args.no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `cog-play` with these arguments (default: those of the command line); gives its exit code."""
    return run_tool(lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
