"""
`cog-play`: a page in the browser with a text on the left and its level on the right, served from this machine to this machine.

The server listens on 127.0.0.1 only, and answers only requests that name it so: a page from elsewhere cannot use it. It reads no files
but its own page, and writes none. Texts are lowered in processes of their own (`play_process.py`), within limits.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cogir.pictures.highlighting import RULES
from cogir.tools.common import Arguments, add_version, read_input, run_tool
from cogir.tools.diagnostics import ToolError
from cogir.tools.levels import LEVELS, LevelRequest
from cogir.tools.model_files import load_model
from cogir.tools.play_process import LIMITS, LoweringLimits, LoweringQueue

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
NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy for what an answer may load, and that no page may show it in a frame."""


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
        if self.path != "/lower" or self.headers.get_content_type() != "application/json":
            self.refuse(HTTPStatus.NOT_FOUND, "post JSON to /lower")
        elif not 0 <= length <= LARGEST:
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a text has at most {LARGEST} bytes")
        else:
            try:
                given = json.loads(self.rfile.read(length))
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


class PlayServer(ThreadingHTTPServer):
    """The server of the page."""

    daemon_threads = True

    def __init__(self, examples: Mapping[str, str], port: int = 0, limits: LoweringLimits = LIMITS):
        self.examples = examples
        self.queue = LoweringQueue(limits)
        super().__init__((HOST, port), PlayHandler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/"

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
