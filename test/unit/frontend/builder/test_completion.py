"""Editors offer the parameters of the function that a node applies (asked of Pyright's language server, which Pylance shares)."""

# pyright: basic
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cogir

SERVER = Path(sys.executable).with_name("pyright-langserver")
SCRIPT = """\
import cogir
from cogir import library

def mine(v, *, slope=1.0):
    return v * slope

m = cogir.Model("m")
"""
OPTIONS = {"input=", "params=", "outputs=", "seed="}


class Editor:
    """A client of the language server with one open script."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.server = subprocess.Popen([SERVER, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.requests = 0
        root = folder.as_uri()
        self.ask("initialize", {"processId": None, "rootUri": root, "workspaceFolders": [{"uri": root, "name": "w"}], "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        assert self.server.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def received(self) -> dict[str, Any]:
        assert self.server.stdout is not None
        length = 0
        while line := self.server.stdout.readline().strip():
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        assert length, "the language server has ended"
        return json.loads(self.server.stdout.read(length))

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request; what the server asks meanwhile is answered with nothing."""
        self.requests += 1
        number = self.requests
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.received()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": [{} for _ in message["params"].get("items", [])]})
            elif message.get("id") == number:
                return message["result"]

    def offered(self, line: str) -> set[str]:
        """The keywords that are offered at the end of a line that follows the script."""
        uri = (self.folder / f"script{self.requests}.py").as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": SCRIPT + line + ")\n"}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        place = {"textDocument": {"uri": uri}, "position": {"line": SCRIPT.count("\n"), "character": len(line)}}
        return {item["label"] for item in self.ask("textDocument/completion", place)["items"] if item["label"].endswith("=")}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("editor")
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(Path(cogir.__file__).parents[1])]}))
    found = Editor(folder)
    yield found
    found.server.kill()
    found.server.communicate()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ('m.node("a", library.logistic, g', "gain="),
        ('m.node("a", library.drift_diffusion_integrator, input=2, th', "threshold="),
        ('m.node("a", cogir.library.drift_diffusion_integrator, noise=0.5, th', "threshold="),
        ('m.node("a", mine, ', "slope="),
    ],
)
def test_parameters_of_the_function_are_offered(editor: Editor, line: str, offered: str) -> None:
    found = editor.offered(line)
    assert offered in found
    assert not found & ({"gain=", "threshold=", "slope="} - {offered})


def test_options_of_nodes_are_offered(editor: Editor) -> None:
    assert editor.offered('m.node("a", mine, ') >= OPTIONS
    assert editor.offered('m.node("a", ') >= OPTIONS
