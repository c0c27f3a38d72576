"""
The library's elementary functions and draws as LLVM IR, made before any model is compiled.

Their sources are Python. To compile them anew for each model costs a small model as much as its own functions, so `library.ll` holds
what comes out, for all targets alike: in the language of LLVM, not optimised. `expand-math` and `expand-rng` leave declarations where a
module says that they are linked (`cog.linked`); `link` puts the definitions in their place.

`python -m cogir.backend.write_library` writes the file. One whose sources have changed since is not used.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cogir.library.numerics.c_library import VARIANTS
from cogir.lowering.library.functions import ANY_LANES, C_LOG

FILE = Path(__file__).with_name("library.ll")
_SOURCES = ("numerics", "random")
"""The folders of the library that the file is made from."""
_HEAD = "; sources "
_SIZE = "; size "
_SYMBOL = re.compile(r"@([\w.]+)")
_LANES = re.compile(r"(?<=_v)\d+$|(?<=\.v)\d+(?=[fi]\d+$)")
"""The lanes in a symbol: `@cogir_split_v2`, `@llvm.fma.v2f64`."""
_INLINE = re.compile(r" (?:alwaysinline|noinline)\b")


@dataclass(frozen=True)
class Item:
    """A definition, a constant, or the declaration of a function of the C library or of LLVM."""

    text: str
    needs: tuple[str, ...]
    """The other symbols that its text names."""


@dataclass(frozen=True)
class LinkedLibrary:
    """All items by symbol, and the sizes of those functions that a model can call: operations, and accesses to memory."""

    items: Mapping[str, Item]
    sizes: Mapping[str, tuple[int, int]]

    def link(self, ir: str, log: str = "libm") -> str:
        """
        A module in LLVM's language with definitions in the place of what it declares of the library.

        `log`: which of the known functions the C library's logarithm is ("fused" or "separate"); of "libm", none of them.
        """
        if log in VARIANTS:
            return self.knowing(log).link(ir)
        declared = {symbol_of(line): line for line in ir.splitlines() if line.startswith("declare ")}
        called = [symbol for symbol in declared if self.has(symbol)]
        if not called:
            return ir
        kept = [line for line in ir.splitlines() if not (line.startswith("declare ") and self.has(symbol_of(line)))]
        added = dict.fromkeys(name for symbol in called for name in self.needed(symbol) if name not in declared or self.has(name))
        definitions = [_with_choice_of(declared.get(name), self.item(name).text) for name in added]
        return "\n".join([*kept, *definitions, ""])

    def knowing(self, log: str) -> LinkedLibrary:
        """The library in which loops do not call the C library's logarithm, but have one that is the same."""
        if C_LOG not in self.items:
            return self
        text = self.items[C_LOG].text.replace("@log(", f"@{C_LOG}_{log}(")
        assert text != self.items[C_LOG].text, f"@{C_LOG} does not call @log"
        return LinkedLibrary({**self.items, C_LOG: item(text)}, self.sizes)

    def needed(self, symbol: str) -> list[str]:
        """The symbols of an item, and of all that it needs."""
        found: dict[str, None] = {}
        open = [symbol]
        while open:
            name = open.pop()
            if name not in found:
                found[name] = None
                open += self.item(name).needs
        return list(found)

    def has(self, symbol: str) -> bool:
        """True if a model can call a function."""
        return symbol in self.sizes or _with_lanes(symbol, ANY_LANES) in self.sizes

    def item(self, name: str) -> Item:
        """An item; what there is for vectors is written down for two lanes, and made over for others."""
        if name in self.items or (lanes := _lanes_of(name)) is None:
            return self.items[name]
        return item(in_lanes(self.items[_with_lanes(name, ANY_LANES)].text, lanes))


def _lanes_of(name: str) -> int | None:
    """The number of lanes of the vectors of a function or intrinsic; None for those of numbers."""
    found = _LANES.search(name)
    return int(found[0]) if found else None


def _with_lanes(name: str, lanes: int) -> str:
    """The same function or intrinsic for vectors of so many lanes; a symbol of numbers stays as it is."""
    return _LANES.sub(str(lanes), name)


def in_lanes(text: str, lanes: int) -> str:
    """The text of an item for vectors of `ANY_LANES` lanes, for others."""
    text = _SYMBOL.sub(lambda found: f"@{_with_lanes(found[1], lanes)}", text)
    return text.replace(f"<{ANY_LANES} x ", f"<{lanes} x ")


def symbol_of(line: str) -> str:
    """The symbol that a line of LLVM IR defines or declares."""
    found = _SYMBOL.search(line)
    assert found is not None, line
    return found[1]


def item(text: str) -> Item:
    """An item, with what it names after its own symbol."""
    return Item(text, tuple(dict.fromkeys(_SYMBOL.findall(text)[1:])))


def _with_choice_of(declaration: str | None, definition: str) -> str:
    """The definition, to be inlined always, never, or as LLVM likes, as the declaration says if there is one."""
    if declaration is None:
        return definition
    head, brace, body = definition.partition(" {\n")
    choice = _INLINE.search(declaration)
    return _INLINE.sub("", head) + (choice[0] if choice else "") + brace + body


@cache
def linked_library() -> LinkedLibrary:
    """The library as it was shipped; an empty one where its sources have changed since."""
    try:
        text = FILE.read_text()
    except OSError:
        text = ""
    return parsed(text) if text.startswith(_HEAD + fingerprint()) else LinkedLibrary({}, {})


def parsed(text: str) -> LinkedLibrary:
    """The library in a text: items with an empty line between them."""
    items: dict[str, Item] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for part in text.split("\n\n")[1:]:
        size, part = part.split("\n", 1) if part.startswith(_SIZE) else ("", part)
        symbol = symbol_of(part)
        items[symbol] = item(part.rstrip("\n"))
        if size:
            operations, accesses = size.removeprefix(_SIZE).split()
            sizes[symbol] = int(operations), int(accesses)
    return LinkedLibrary(items, sizes)


def written(library: LinkedLibrary) -> str:
    """The text of a library, which `parsed` reads."""
    parts = [f"{_HEAD}{fingerprint()}\n; Written by cogir.backend.write_library. Change that, or the sources, not this."]
    for symbol, item in library.items.items():
        size = library.sizes.get(symbol)
        parts.append((f"{_SIZE}{size[0]} {size[1]}\n" if size else "") + item.text)
    return "\n\n".join(parts) + "\n"


@cache
def fingerprint() -> str:
    """A hash of the sources of the library."""
    folder = Path(__file__).parents[1] / "library"
    digest = hashlib.sha256()
    for path in sorted(path for name in _SOURCES for path in (folder / name).glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
