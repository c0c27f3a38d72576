"""
A real browser for tests of pages: headless Chromium, driven by the DevTools protocol over pipes.

    with Browser() as browser:
        browser.open("http://127.0.0.1:8000/")
        browser.wait("document.querySelector('#status').textContent.includes('lines')")
        browser.screenshot(path)
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe")


def chromium() -> str | None:
    """The path of Chromium, if it is installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A page in a browser; errors of its scripts are collected."""

    def __init__(self, width: int = 1400, height: int = 900, timeout_seconds: float = 90.0):
        command = chromium()
        assert command is not None
        self.timeout_seconds = timeout_seconds
        self.folder = TemporaryDirectory(prefix="cogir-browser-", ignore_cleanup_errors=True)
        (read_commands, self._commands), (self._answers, write_answers) = os.pipe(), os.pipe()

        def connect() -> None:
            """Chromium reads commands from file descriptor 3, and writes answers to 4."""
            first, second = os.dup(read_commands), os.dup(write_answers)
            first, second = (os.dup(each) if each in (3, 4) else each for each in (first, second))
            os.dup2(first, 3)
            os.dup2(second, 4)

        arguments = [command, *FLAGS, f"--window-size={width},{height}", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect, close_fds=False
        )
        os.close(read_commands)
        os.close(write_answers)
        self.watchdog = threading.Timer(timeout_seconds, self.process.kill)
        self.watchdog.start()
        self.number = 0
        self.session: str | None = None
        self.errors: list[str] = []
        self._read = b""
        (page,) = [each for each in self.send("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.watchdog.cancel()
        self.process.kill()
        self.process.wait()
        os.close(self._commands)
        os.close(self._answers)
        self.folder.cleanup()

    def send(self, method: str, **params: Any) -> Any:
        """The result of a command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params} | ({"sessionId": self.session} if self.session else {})
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            found = self._receive()
            if found.get("id") == self.number:
                assert "error" not in found, found
                return found["result"]
            if found.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(found["params"]["exceptionDetails"]))
            if found.get("method") == "Log.entryAdded" and found["params"]["entry"]["level"] == "error":
                self.errors.append(found["params"]["entry"]["text"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            part = os.read(self._answers, 1 << 16)
            assert part, "the browser has ended"
            self._read += part
        message, _, self._read = self._read.partition(b"\0")
        return json.loads(message)

    def open(self, address: str) -> None:
        """Loads a page."""
        self.send("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + self.timeout_seconds
        while not self.value(condition):
            assert time.monotonic() < end, f"never true: {condition}"
            time.sleep(0.05)

    def click(self, selector: str, number: int = 0) -> None:
        """Clicks into the middle of the visible part of an element, as a mouse does."""
        place = self.value(
            f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{number}]; e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [Math.min(r.left + r.width / 2, r.left + 100), r.top + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types a text into what has the focus."""
        self.send("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """Writes a picture of the page as PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
