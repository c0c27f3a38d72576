"""
Command-line tools that start at once: a process that has imported cogir, which forks for each command.

    python test/support/tool_server.py FOLDER

writes `cog-opt`, `cog-run` and `cog-translate` into a folder: commands that hand their arguments, environment and files to this process,
whose fork runs the tool, and end with its status. FileCheck tests start hundreds of tools, each of which would take a second to import what
it needs. The process ends when its standard input does.

The tools are imported as a whole, and all have the same hash seed: `COGIR_LIT_PLAIN=1 make filecheck`, as in `make check-full`, starts each
of them by itself.
"""

from __future__ import annotations

import array
import importlib
import os
import pkgutil
import select
import shutil
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path

TOOLS = {"cog-opt": "cogir.tools.cog_opt", "cog-run": "cogir.tools.cog_run", "cog-translate": "cogir.tools.cog_translate"}
COMMAND = """#!{python} -IS
import _socket, array, os, sys
connection = _socket.socket(_socket.AF_UNIX)
connection.connect({address!r})
environment = [name + "=" + value for name, value in os.environ.items()]
words = "\\0".join([{tool!r}, os.getcwd(), str(len(environment)), *environment, *sys.argv[1:]]).encode()
connection.sendmsg([len(words).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
connection.sendall(words)
status = connection.recv(1)
sys.exit(status[0] if status else 134)
"""


def write_commands(folder: Path, address: str) -> None:
    """The commands."""
    for tool in TOOLS:
        path = folder / tool
        path.write_text(COMMAND.format(python=sys.executable, address=address, tool=tool))
        path.chmod(0o755)


def import_all() -> None:
    """Imports the tools, and what they import when they need it."""
    for module in TOOLS.values():
        importlib.import_module(module)
    for part in ("analysis", "backend", "dialects", "interpreters", "lowering", "transforms"):
        package = importlib.import_module(f"cogir.{part}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def request(connection: socket.socket) -> tuple[list[str], list[int]]:
    """The words and the files of a command; ends this process if the command has ended before it has sent them."""
    size, rights, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(3 * 4))
    words = b""
    while len(words) < int.from_bytes(size, "big"):
        part = connection.recv(2**16)
        if not part:
            os._exit(1)
        words += part
    if not rights:
        os._exit(1)
    files = array.array("i")
    files.frombytes(rights[0][2])
    return words.decode().split("\0"), list(files)


def end_with(connection: socket.socket) -> None:
    """Ends this process when its command does, as when it is stopped for having taken too long."""
    if not connection.recv(1):
        os._exit(1)


def run(words: list[str], files: list[int]) -> int:
    """Runs a tool in this process with the files of a command; its status."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # Python's streams keep in mind what the files of the server could do, such as to seek.
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode, closefd=False) for number, mode in enumerate("rww"))
    tool, folder, count, *rest = words
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(each.split("=", 1) for each in rest[: int(count)])
    sys.argv = [tool, *rest[int(count) :]]
    try:
        status = importlib.import_module(TOOLS[tool]).main()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status or 0)


def main() -> None:
    """Serves commands until standard input ends."""
    folder = Path(sys.argv[1])
    address = str(folder / "socket")
    import_all()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    write_commands(folder, address)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # lit ends, and with it standard input
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            shutil.rmtree(folder)
            return
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            listener.close()
            given = request(connection)
            threading.Thread(target=end_with, args=(connection,), daemon=True).start()
            status = run(*given)
            connection.sendall(bytes([status & 255]))
            os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
