"""The playground: what the server answers and refuses, and the page in a real browser."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browser import Browser, chromium

from cogir.dialects.text import parse_text
from cogir.tools import cog_play
from cogir.tools.cog_play import EXAMPLES, LARGEST, MOST_CONNECTIONS, PlayServer, page, texts
from cogir.tools.common import USER_ERROR
from cogir.tools.levels import LEVELS

WRONG = "cog.model @m {\n  cog.output @aa\n}\n"
PATIENCE = 60.0
"""The seconds after which a test waits no longer for a server to close connections."""


@contextmanager
def serving(**options: Any) -> Iterator[PlayServer]:
    """A server that answers."""
    with PlayServer(texts(None), **options) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[PlayServer]:
    with serving() as made:
        yield made


def ask(
    server: PlayServer,
    method: str,
    path: str,
    body: str | bytes | None = None,
    headers: dict[str, str] | None = None,
    secret: str | None = None,
) -> tuple[int, Any, str]:
    """The status, the headers and the body of an answer; `path` comes after the secret."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=120)
    connection.request(method, f"/{server.secret}{path}" if secret is None else f"{secret}{path}", body, headers or {})
    found = connection.getresponse()
    text = found.read().decode()
    connection.close()
    return found.status, found.headers, text


def lowered(server: PlayServer, text: str, level: str, **more: Any) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{server.server_port}"}
    status, _, body = ask(server, "POST", "/lower", json.dumps({"text": text, "level": level, **more}), headers)
    assert status == 200
    return json.loads(body)


def test_a_text_is_lowered_to_every_level(server: PlayServer) -> None:
    text = texts(None)["decide"]
    found = {level: lowered(server, text, level) for level in LEVELS}
    assert not [level for level in LEVELS if found[level]["errors"] or not found[level]["text"]]
    assert "cog.program" in found["scheduled"]["text"]
    assert "func.func @trial" in found["machine"]["text"]
    assert "define" in found["llvm-ir"]["text"]
    assert found["scheduled"]["passes"] == ["eliminate-scheduler"]
    remark = {"pass": "cog-licm", "kind": "passed", "text": "hoisted arith.mulf out of scf.while", "times": 1, "line": 12}
    assert remark in found["machine"]["remarks"]


def test_a_newer_text_of_a_page_replaces_the_older_one(server: PlayServer) -> None:
    function = texts(None)["loop"]
    slow = "\n".join(function.replace("@sum", f"@sum{number}") for number in range(300))
    headers = {"Content-Type": "application/json"}
    statuses: list[int] = []

    def post(text: str, page: str) -> int:
        return ask(server, "POST", "/lower", json.dumps({"page": page, "text": text, "level": "asm"}), headers)[0]

    older = threading.Thread(target=lambda: statuses.append(post(slow, "a")))
    older.start()
    while server.queue._running is None:
        time.sleep(0.01)
    assert post(function, "a") == 200
    older.join()
    assert statuses == [409]


def test_errors_come_with_line_and_caret(server: PlayServer) -> None:
    (error,) = lowered(server, WRONG, "machine")["errors"]
    assert (error["line"], error["column"]) == (2, 3)
    assert (
        error["shown"]
        == "model.mlir:2:3: error: output @aa: @aa is not part of the model; there is none\n  cog.output @aa\n  ^          ~~~"
    )
    assert lowered(server, "", "cog")["errors"]
    assert lowered(server, "scf.execute_region {\n" * 2000, "cog")["errors"][0]["message"] == "the input is nested too deeply"


def test_the_page_needs_nothing_from_elsewhere(server: PlayServer) -> None:
    status, headers, body = ask(server, "GET", "/")
    assert status == 200
    policy = set(headers["Content-Security-Policy"].split("; "))
    assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} < policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in ask(server, "GET", "/nowhere")[1]["Content-Security-Policy"]
    assert not re.findall(r"https?://|//[a-z]+\.[a-z]+/|@import|<link(?! rel=\"icon\" href=\"data:)", body.split('id="data"')[0])
    assert "{{" not in body
    nonce = re.search(r"nonce-([\w-]+)", headers["Content-Security-Policy"])
    assert nonce is not None
    assert nonce[1] not in ask(server, "GET", "/")[2]


def test_a_text_cannot_end_the_script() -> None:
    assert "</script><b>" not in page({"a": "</script><b>"}, "n")


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {"Host": "example.org"}, 403),
        ("GET", "/", {"Host": "127.0.0.1"}, 403),
        ("POST", "/lower", {"Content-Type": "application/json", "Origin": "http://example.org"}, 403),
        ("POST", "/lower", {"Content-Type": "application/json", "Origin": "null"}, 403),
        ("POST", "/lower", {"Content-Type": "text/plain"}, 404),
        ("POST", "/", {"Content-Type": "application/json"}, 404),
        ("POST", "/lower", {"Content-Type": "application/json", "Content-Length": "-1"}, 413),
        ("POST", "/lower", {"Content-Type": "application/json", "Content-Length": "9" * 30}, 413),
        ("POST", "/lower", {"Content-Type": "application/json", "Content-Length": str(LARGEST + 1)}, 413),
        ("GET", "/etc/passwd", {}, 404),
        ("GET", "/../../../../etc/passwd", {}, 404),
        ("GET", "/page.html", {}, 404),
        ("PUT", "/lower", {}, 501),
    ],
)
def test_what_is_refused(server: PlayServer, method: str, path: str, headers: dict[str, str], status: int) -> None:
    found, _, body = ask(server, method, path, "{}" if method == "POST" else None, headers)
    assert found == status
    assert "root:" not in body


@pytest.mark.parametrize("kind", ["none", "none at all", "wrong", "cut", "longer", "other case", "no letters"])
def test_who_does_not_know_the_secret_is_refused(server: PlayServer, kind: str) -> None:
    given = {
        "none": "",
        "none at all": "/",
        "wrong": "/" + "a" * len(server.secret),
        "cut": "/" + server.secret[:-1],
        "longer": f"/{server.secret}a",
        "other case": "/" + server.secret.swapcase(),
        "no letters": "/%ff%00",
    }[kind]
    text = json.dumps({"text": WRONG, "level": "cog"})
    for method, path, body in (("GET", "/", None), ("POST", "/lower", text)):
        found, _, answer = ask(server, method, path, body, {"Content-Type": "application/json"}, secret=given)
        assert (found, answer) == (403, "open the address that cog-play has printed")
        assert server.secret not in answer


def test_every_server_has_a_secret_of_its_own(server: PlayServer) -> None:
    with PlayServer({}) as other:
        assert len({server.secret, other.secret}) == 2
        assert len(server.secret) >= 32
        assert server.secret in server.address
    assert server.secret not in page({}, "n")


def test_the_browser_is_not_told_the_address_by_its_command_line() -> None:
    with cog_play.pointer_to("http://127.0.0.1:1/secret/") as uri:
        file = Path(uri.removeprefix("file://"))
        assert "secret" not in uri
        assert "url=http://127.0.0.1:1/secret/" in file.read_text()
        assert file.parent.stat().st_mode & 0o077 == 0
    assert not file.exists()


def begun(server: PlayServer, data: bytes) -> socket.socket:
    """A connection that has sent a part of a request."""
    connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=60)
    connection.sendall(data)
    connection.settimeout(PATIENCE)
    return connection


@pytest.fixture
def impatient() -> Iterator[PlayServer]:
    """A server that waits for half a second."""
    with serving(arrival=0.5) as made:
        yield made


@pytest.mark.parametrize("part", ["nothing", "a line", "headers", "a body"])
def test_half_sent_requests_end(impatient: PlayServer, part: str) -> None:
    head = f"POST /{impatient.secret}/lower HTTP/1.1\r\nHost: 127.0.0.1:{impatient.server_port}\r\n"
    sent = {
        "nothing": "",
        "a line": "GET /",
        "headers": head,
        "a body": f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
    }[part]
    with begun(impatient, sent.encode()) as connection:
        assert connection.recv(100) == b""  # closed by the server
    assert wait_until(lambda: not impatient._connections)


def test_requests_that_trickle_in_end(impatient: PlayServer) -> None:
    def send_on(connection: socket.socket) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:  # a byte each tenth of a second, which is no silence
            connection.sendall(b"a")
            time.sleep(0.1)

    with begun(impatient, b"GET /") as connection, pytest.raises(ConnectionError):
        send_on(connection)


def wait_until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def test_many_half_sent_requests_keep_few_threads_and_nobody_out(server: PlayServer) -> None:
    before = threading.active_count()
    with ExitStack() as waiting:
        for _ in range(200):
            waiting.enter_context(begun(server, b"POST /"))
        assert ask(server, "GET", "/")[0] == 200
        assert wait_until(lambda: threading.active_count() - before <= MOST_CONNECTIONS)
        assert len(server._connections) <= MOST_CONNECTIONS
        assert lowered(server, WRONG, "cog")["errors"]
    assert wait_until(lambda: threading.active_count() <= before)


def test_connections_wait_until_they_are_accepted() -> None:
    with PlayServer({}) as busy, ExitStack() as waiting:
        for _ in range(2 * MOST_CONNECTIONS):
            waiting.enter_context(socket.create_connection(("127.0.0.1", busy.server_port), timeout=10))


def test_a_request_that_is_answered_is_not_dropped_for_others(server: PlayServer) -> None:
    function = texts(None)["loop"]
    slow = "\n".join(function.replace("@sum", f"@sum{number}") for number in range(100))
    answers: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: answers.append(lowered(server, slow, "machine", page="b")))
    thread.start()
    assert wait_until(lambda: server.queue._running is not None)
    with ExitStack() as waiting:
        for _ in range(2 * MOST_CONNECTIONS):
            waiting.enter_context(begun(server, b"GET /"))
        thread.join()
    assert answers[0]["text"].count("func.func") == 100


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"text": 1, "level": "cog"}', '{"text": "", "level": "/etc"}', "[" * 100_000, "\udcff"])
def test_what_is_no_request(server: PlayServer, body: str) -> None:
    data = body.encode("utf-8", "surrogateescape")
    assert ask(server, "POST", "/lower", data, {"Content-Type": "application/json"})[0] == 400


def test_only_this_machine_is_served(server: PlayServer) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for other in others:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, server.server_port), timeout=5)


def test_the_command(tmp_path: Path) -> None:
    model = tmp_path / "my_model.mlir"
    model.write_text("cog.model @mine {\n}\n")
    command = [sys.executable, "-m", "cogir.tools.cog_play", str(model), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.fullmatch(r"cog-play: http://127\.0\.0\.1:(\d+)(/[\w-]+/) \(Ctrl-C ends it\)\n", line)
    assert found is not None
    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
    connection.request("GET", found[2])
    assert '"my_model.mlir": "cog.model @mine' in connection.getresponse().read().decode()
    connection.close()
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


def test_a_model_in_python_is_a_text_that_is_read_again(server: PlayServer, tmp_path: Path) -> None:
    script = tmp_path / "model.py"
    script.write_text("import cogir\n\nm = cogir.Model('mine')\nm.node('a', input=2)\nmodel = m\n")
    text = texts(str(script))["model.py"]
    assert text.startswith("builtin.module {\n  cog.model @mine {")
    assert str(parse_text(text)) + "\n" == text
    assert not lowered(server, text, "machine")["errors"]


def test_wrong_arguments(server: PlayServer, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--port", "70000"], "error: --port: 70000 is no port; give a number from 0 to 65535\n"),
        (["--port", str(server.server_port), "--no-browser"], f"error: --port: port {server.server_port} cannot be used: Address already"),
        (["/nowhere.mlir"], "/nowhere.mlir: error: the file cannot be read"),
    ):
        assert cog_play.main(arguments) == USER_ERROR
        assert capsys.readouterr().err.startswith(message)


@pytest.mark.skipif(chromium() is None, reason="the page is tested in Chromium, which is not installed")
def test_the_page_in_a_browser(server: PlayServer, tmp_path: Path) -> None:
    with Browser() as browser:
        browser.open(server.address)
        status = "document.querySelector('#status').textContent"
        result = "document.querySelector('#result').textContent"
        browser.wait(f"{status}.includes(' lines in ')")
        assert "func.func @trial" in browser.value(result)
        assert browser.value("document.querySelector('#example').options.length") == len(EXAMPLES)
        assert browser.value("[...document.querySelectorAll('#tabs button')].map(tab => tab.textContent)") == list(LEVELS)
        assert "hoisted arith.mulf out of scf.while" in browser.value("document.querySelector('#remarks').textContent")
        assert browser.value("document.querySelectorAll('#edit .t-operation').length") > 10

        # Another level.
        browser.click("#tabs button", LEVELS.index("scheduled"))
        browser.wait(f"{result}.includes('cog.program')")

        # A line of the IR shows the line of the text.
        browser.click("#tabs button", LEVELS.index("machine"))
        browser.wait(f"{result}.includes('func.func @trial')")
        number = browser.value("[...document.querySelectorAll('#result pre div')].findIndex(row => row.textContent.includes('math.absf'))")
        browser.click("#result pre div", number)
        assert browser.value("document.querySelector('#edit .marked').textContent").strip() == "%size = math.absf %sum : f64"

        # One pass only.
        browser.value("document.querySelector('#until').value = 'convert-cog-to-machine'")
        browser.value("document.querySelector('#until').dispatchEvent(new Event('change'))")
        browser.wait(f"{result}.includes('%decision_value = tensor.extract %pf')")

        # Errors appear while the text is edited, with the line and a caret, and go again.
        browser.value("document.querySelector('#text').focus()")
        browser.value("document.querySelector('#text').setSelectionRange(0, 0)")
        browser.type("cog.modle @x {}\n")
        browser.wait("document.querySelector('#errors').textContent.includes('^')")
        shown = browser.value("document.querySelector('#errors').textContent")
        assert shown.startswith("model.mlir:1:1: error: there is no operation 'cog.modle'; did you mean cog.model?\ncog.modle @x {}\n^")
        assert browser.value("document.querySelector('#edit .wrong').textContent") == "cog.modle @x {}"
        if folder := os.environ.get("COGIR_SCREENSHOTS"):
            browser.screenshot(Path(folder) / "playground_error.png")
        browser.value("document.querySelector('#text').setSelectionRange(0, 16)")
        browser.type("// edited\n")
        browser.wait("document.querySelector('#errors').textContent === ''")
        browser.wait(f"{status}.includes(' lines in ')")

        # Options.
        browser.value("document.querySelector('#until').value = ''")
        browser.click("#replicates")
        browser.wait(f"{result}.includes('@lanes_iterate')")
        if folder:
            browser.screenshot(Path(folder) / "playground.png")
        assert browser.errors == []
