"""The language server answers a scripted session: JSON-RPC over the pipes of the real process, as an editor speaks it."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cogir.tools import cog_lsp
from cogir.tools.common import USER_ERROR

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'cogir[lsp]'")

TEXT = """\
cog.model @m {
  cog.node @"my node" (%x: f64) params (%rate: f64 = 0.5) -> (value: f64 = 0.0) {
    %y = arith.mulf %x, %rate : f64
    cog.yield %y
  }
  cog.input @"my node"["x"]
  cog.output @"my node"["value"]
}
"""
JUNK = ("", "cog", '"', "cog.model @m {", "}" * 50, "%" * 50, "{" * 3000, "// -----\n", "cog.model ½ {}", '@"\\FF"', "\ufeff" + TEXT)
URI = "file:///models/m.mlir"


class Editor:
    """The other side of the protocol."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "cogir.tools.cog_lsp", "--stdio"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.watchdog = threading.Timer(120.0, self.process.kill)
        self.watchdog.start()
        self.number = 0
        self.version = 0
        self.waiting: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has ended"
        return json.loads(self.process.stdout.read(length))

    def request(self, method: str, params: Any = None) -> Any:
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self.waiting.append(message)

    def diagnostics(self) -> list[dict[str, Any]]:
        while True:
            message = self.waiting.pop(0) if self.waiting else self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                assert message["params"]["uri"] == URI
                return message["params"]["diagnostics"]

    def open(self, text: str) -> list[dict[str, Any]]:
        self.version = 1
        document = {"uri": URI, "languageId": "cog", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})
        return self.diagnostics()

    def change(self, text: str) -> list[dict[str, Any]]:
        self.version += 1
        params = {"textDocument": {"uri": URI, "version": self.version}, "contentChanges": [{"text": text}]}
        self.send(method="textDocument/didChange", params=params)
        return self.diagnostics()

    def at(self, method: str, text: str, found: str, shift: int = 0) -> Any:
        """A request about the place where `found` begins in a text."""
        before = text[: text.index(found) + shift]
        line = before.rpartition("\n")[2]
        position = {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position})


@pytest.fixture
def editor() -> Iterator[Editor]:
    made = Editor()
    result = made.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert result["serverInfo"]["name"] == "cog-lsp"
    assert {"hoverProvider", "definitionProvider", "completionProvider", "documentSymbolProvider"} <= result["capabilities"].keys()
    made.send(method="initialized", params={})
    yield made
    made.watchdog.cancel()
    made.request("shutdown")
    made.send(method="exit")
    assert made.process.wait(timeout=20) == 0
    for stream in (made.process.stdin, made.process.stdout):
        assert stream is not None
        stream.close()


def test_a_session(editor: Editor) -> None:
    assert editor.open(TEXT) == []

    # Errors come and go with the text.
    (error,) = editor.change(TEXT.replace('output @"my node"', "output @node"))
    assert error["message"].startswith('output @node["value"]: @node is not part of the model')
    assert error["range"] == {"start": {"line": 6, "character": 2}, "end": {"line": 6, "character": 12}}
    (error,) = editor.change(TEXT.replace("%x, %rate", "%z, %rate"))
    assert error["message"] == "%z is not defined"
    assert error["range"]["start"] == {"line": 2, "character": 20}
    (error,) = editor.change(TEXT.replace('output @"my node"["value"]', 'output @node loc("other.mlir":1:1)'))
    assert error["range"]["start"] == {"line": 6, "character": 2}
    assert editor.change(TEXT) == []

    # Hover.
    assert "```mlir\n%y : f64\n```\nresult of `arith.mulf`" in editor.at("hover", TEXT, "%y\n")["contents"]["value"]
    hover = editor.at("hover", TEXT, '@"my node"["x"]', 2)
    assert hover["contents"]["value"].startswith('```mlir\ncog.node @"my node" (%x: f64)')
    assert hover["range"]["start"] == {"line": 5, "character": 12}
    assert "rate: f64" not in editor.at("hover", TEXT, '"value"]')["contents"]["value"]
    assert "output" in editor.at("hover", TEXT, '"value"]')["contents"]["value"]
    assert "**cog.output**" in editor.at("hover", TEXT, "cog.output")["contents"]["value"]
    assert editor.at("hover", TEXT, "= arith", 0) is None

    # Definitions.
    assert editor.at("definition", TEXT, "%rate : f64")["range"]["start"] == {"line": 1, "character": 40}
    assert editor.at("definition", TEXT, '@"my node"["value"]')["range"]["start"] == {"line": 1, "character": 11}
    assert editor.at("definition", TEXT, '"value"]')["range"]["start"] == {"line": 1, "character": 62}
    assert editor.at("definition", TEXT, "cog.yield") is None

    # Completion, also in a text that is being written.
    labels = {item["label"] for item in editor.at("completion", TEXT, "%rate : f64", 1)}
    assert labels == {"%x", "%rate"}
    begun = TEXT.replace('cog.output @"my node"["value"]', "cog.output @")
    assert len(editor.change(begun)) == 1
    items = {item["label"]: item for item in editor.at("completion", begun, "cog.output @", 12)}
    assert items['@"my node"']["detail"] == "cog.node"
    assert items['@"my node"']["textEdit"]["range"]["start"] == {"line": 6, "character": 13}
    begun = TEXT.replace('"value"]', '"')
    editor.change(begun)
    items = {item["label"]: item for item in editor.at("completion", begun, 'output @"my node"["', 19)}
    assert items.keys() == {"x", "rate", "value"}
    begun = TEXT.replace("cog.input", "cog.in")
    editor.change(begun)
    items = {item["label"]: item for item in editor.at("completion", begun, "cog.in ", 6)}
    assert "cog.input" in items
    assert "cog.input @stimulus" in items["cog.input"]["documentation"]["value"]

    # The outline.
    editor.change(TEXT)
    (model,) = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert (model["name"], model["detail"]) == ("m", "cog.model")
    assert [child["name"] for child in model["children"]] == ["my node"]


def test_columns_are_utf_16(editor: Editor) -> None:
    text = TEXT.replace("my node", "my 𝄞 node")
    assert editor.open(text) == []
    assert editor.at("definition", text, '"value"]')["range"]["start"] == {"line": 1, "character": 65}


def test_a_text_that_is_no_ir(editor: Editor) -> None:
    for text in JUNK:
        editor.open(text)
        editor.at("completion", text, text, len(text))
        editor.at("hover", text, text)
    assert editor.change(TEXT) == []


def test_the_server_without_pygls_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.delitem(sys.modules, "pygls.lsp.server", raising=False)
    assert cog_lsp.main([]) == USER_ERROR
    assert capsys.readouterr().err == "error: cog-lsp needs pygls; install it with: pip install 'cogir[lsp]'\n"


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cog_lsp.main(["--help"])
    assert "language server" in capsys.readouterr().out
    assert Path(__file__).parents[3].joinpath("docs", "tools.md").is_file()
