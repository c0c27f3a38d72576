"""
`cog-play`: a page in the browser with a text on the left and its level on the right, served from this machine to this machine.

The server listens on 127.0.0.1 only, and answers only requests that name it so: a page from elsewhere cannot use it. The address of the
page has a secret, so that other users of the machine cannot. It reads no files but its own page. Texts are lowered in processes of their
own (`play_process.py`), within limits. A request that has not arrived after some seconds, or stands in the way of a newer one, is dropped.
"""

from __future__ import annotations

import argparse
import json
import secrets
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogir.pictures.highlighting import RULES
from cogir.tools.common import Arguments, add_version, read_input, run_tool
from cogir.tools.diagnostics import ToolError
from cogir.tools.levels import LEVELS, LevelRequest
from cogir.tools.model_files import load_model
from cogir.tools.play_process import LIMITS, LoweringLimits, LoweringQueue

if TYPE_CHECKING:
    from typing_extensions import Buffer

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
MOST_CONNECTIONS = 32
"""The most connections, each with a thread, at a time."""
ARRIVAL = 10.0
"""The seconds in which a request must have arrived."""
NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy for what an answer may load, and that no page may show it in a frame."""


class PlayHandler(BaseHTTPRequestHandler):
    """Answers the requests of one page."""

    server: PlayServer  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.arriving = Arriving(self.connection, self.server.arrival)
        self.rfile = BufferedReader(self.arriving)

    def handle_one_request(self) -> None:
        """Reads a request, which must arrive in time, and answers it."""
        self.arriving.begin()
        self.server.set_answered(self.connection, False)
        try:
            super().handle_one_request()
        except ConnectionError:  # it is gone, or a newer connection has taken its place
            self.close_connection = True

    def do_GET(self) -> None:
        """The page; there is nothing else."""
        self.server.set_answered(self.connection, True)
        if not self.is_from_here():
            return
        if self.path != f"/{self.server.secret}/":
            self.reply(HTTPStatus.NOT_FOUND, "text/plain", b"there is only one page here")
            return
        nonce = secrets.token_urlsafe(16)
        policy = f"script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; {NOTHING_ELSE}"
        self.reply(
            HTTPStatus.OK, "text/html; charset=utf-8", page(self.server.examples, nonce).encode(), {"Content-Security-Policy": policy}
        )

    def do_POST(self) -> None:
        """Lowers a text."""
        if not self.is_from_here():
            return
        given = self.headers.get("Content-Length") or ""
        length = int(given) if given.isdecimal() and len(given) < 20 else -1
        if self.path != f"/{self.server.secret}/lower" or self.headers.get_content_type() != "application/json":
            self.refuse(HTTPStatus.NOT_FOUND, "post JSON to lower, beside the page")
        elif not 0 <= length <= LARGEST:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a text has at most {LARGEST} bytes")
        else:
            try:
                given = json.loads(self.rfile.read(length))
                self.server.set_answered(self.connection, True)
                request = LevelRequest.of(given)
                page = str(given.get("page", ""))
            except (ValueError, RecursionError, ToolError) as error:
                self.refuse(HTTPStatus.BAD_REQUEST, str(error))
                return
            found = self.server.queue.ask(request, page)
            if found is None:
                self.refuse(HTTPStatus.CONFLICT, "the page has sent a newer text")
            else:
                self.reply(HTTPStatus.OK, "application/json", json.dumps(asdict(found)).encode())

    def is_from_here(self) -> bool:
        """True if the request names this server and its secret, and comes from its page if it comes from one; refuses it otherwise."""
        names = {f"{name}:{self.server.server_port}" for name in NAMES}
        origin = self.headers.get("Origin")
        is_here = self.headers.get("Host") in names and (origin is None or origin.removeprefix("http://") in names)
        given = self.path.encode(errors="replace").removeprefix(b"/").partition(b"/")[0]
        if is_here and secrets.compare_digest(given, self.server.secret.encode()):
            return True
        self.refuse(HTTPStatus.FORBIDDEN, "open the address that cog-play has printed")
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
            "Content-Security-Policy": NOTHING_ELSE,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        for name, value in {**fixed, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # the page has gone
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


class Arriving(RawIOBase):
    """The bytes that arrive from a connection; all of a request has to come within its time."""

    def __init__(self, connection: socket.socket, seconds: float):
        self.connection, self.seconds = connection, seconds
        self.begin()

    def begin(self) -> None:
        """From now on another request is read."""
        self.end = time.monotonic() + self.seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Raises TimeoutError once the time is over, however little or much has arrived."""
        left = self.end - time.monotonic()
        if left <= 0.0:
            raise TimeoutError("the request has not arrived in time")
        self.connection.settimeout(left)
        try:
            return self.connection.recv_into(buffer)
        finally:
            self.connection.settimeout(self.seconds)


class PlayServer(ThreadingHTTPServer):
    """The server of the page."""

    daemon_threads = True
    request_queue_size = 4 * MOST_CONNECTIONS
    """The connections that wait until they are accepted; the system drops others, which try again a second later."""

    def __init__(self, examples: Mapping[str, str], port: int = 0, limits: LoweringLimits = LIMITS, arrival: float = ARRIVAL):
        self.examples = examples
        self.secret = secrets.token_urlsafe(24)
        self.arrival = arrival
        self.queue = LoweringQueue(limits)
        self._lock = threading.Lock()
        self._connections: dict[socket.socket, bool] = {}
        """The connections, the oldest first, and whether a request of theirs is being answered."""
        super().__init__((HOST, port), PlayHandler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/{self.secret}/"

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Makes room for a connection: the oldest one that waits for a request is closed; if there is none, this one is."""
        with self._lock:
            if len(self._connections) >= MOST_CONNECTIONS:
                waiting = next((each for each, is_answered in self._connections.items() if not is_answered), None)
                if waiting is None:
                    return False
                del self._connections[waiting]
                with suppress(OSError):
                    waiting.shutdown(socket.SHUT_RDWR)  # its thread finds the end, and goes
            self._connections[request] = False
        return True

    def set_answered(self, connection: socket.socket, is_answered: bool) -> None:
        """Says whether a request of a connection has arrived and is being answered."""
        with self._lock:
            if connection in self._connections:
                self._connections[connection] = is_answered

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        self.queue.stop()


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


@contextmanager
def pointer_to(address: str) -> Generator[str]:
    """A file that leads a browser to an address, for this user only: others can see what a browser is called with."""
    with tempfile.TemporaryDirectory(prefix="cog-play-") as folder:  # nobody else may enter it
        file = Path(folder) / "play.html"
        file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">', encoding="utf-8")
        yield file.as_uri()


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
        with pointer_to(server.address) as page:
            if not args.no_browser:
                webbrowser.open(page)
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
