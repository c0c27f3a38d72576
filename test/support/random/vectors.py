"""
Random expressions for vectors of any length from 1 to 6, and for what functions make of them: the part of the random functions that
repeats, rolls, reshapes, reduces, and chooses by branches.

NumPy adds fewer than 8 elements from left to right, as compiled code does, so that results are equal to the bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any

LONGEST = 6


class Vectors(ABC):
    """Writes expressions; the class that writes whole functions says what numbers and tests there are."""

    source: Random

    @abstractmethod
    def pick(self, *options: Any) -> Any:
        """One of the options."""

    @abstractmethod
    def use(self, construct: str, text: str) -> str:
        """The text; notes that it holds the construct."""

    @abstractmethod
    def number(self, depth: int) -> str:
        """An expression for a float."""

    @abstractmethod
    def integer(self, depth: int) -> str:
        """An expression for an int from 0 to 999."""

    @abstractmethod
    def test(self, depth: int) -> str:
        """An expression for a truth value."""

    @abstractmethod
    def known_vector(self, length: int) -> str | None:
        """A name of a vector of that length."""

    def one_of(self, options: dict[str, Callable[[], str]]) -> str:
        """One of the expressions, by the names of their constructs."""
        construct = self.pick(*options)
        return self.use(construct, options[construct]())

    def length(self) -> int:
        """A length; often 1, of which much can go wrong."""
        return self.pick(1, 1, 1, 2, 3, 4, 5, LONGEST)

    def vector(self, length: int, depth: int) -> str:
        """An expression for a vector of that length."""
        if depth <= 0:
            return self.plain_vector(length)
        kinds = [self.repeated, self.moved, self.reshaped, self.computed, self.joined]
        return self.pick(*kinds)(length, depth - 1)

    def plain_vector(self, length: int) -> str:
        known = self.known_vector(length)
        if known is not None and self.source.random() < 0.8:
            return known
        numbers = ", ".join(self.number(0) for _ in range(length))
        return self.pick(
            f"np.array([{numbers}])", f"np.ones({length})", f"(0.5 * np.arange({length}))", f"np.linspace(-1.0, 1.0, {length})"
        )

    def repeated(self, length: int, depth: int) -> str:
        part = self.pick(*[size for size in range(1, length + 1) if length % size == 0])
        times = length // part
        x, v = lambda: self.number(depth), lambda: self.vector(part, depth)
        return self.one_of(
            {
                "tile": lambda: f"np.tile({v()}, {times})",
                "tile of a number": lambda: f"np.tile({x()}, {length})",
                "repeat": lambda: f"np.repeat({v()}, {times})",
                "repeat of a number": lambda: f"np.repeat({x()}, {length})",
                "full": lambda: f"np.full({length}, {x()})",
                "broadcast_to": lambda: f"np.broadcast_to({self.vector(1, depth)}, ({length},))",
                "full_like": lambda: f"np.full_like({self.vector(length, depth)} * 1.0, {x()})",
            }
        )

    def moved(self, length: int, depth: int) -> str:
        def v(more: int = 0) -> str:
            return self.vector(length + more, depth)

        places = [str(self.source.randrange(LONGEST)) for _ in range(length)]
        return self.one_of(
            {
                "roll": lambda: f"np.roll({v()}, {self.pick('1', '2', '-1', '7')})",
                "flip": lambda: self.pick(f"np.flip({v()})", f"{v()}[::-1]"),
                "slice": lambda: self.pick(f"{v(1)}[1:]", f"{v(1)}[:-1]", f"{v(1)}[:{length}]"),
                "window": lambda: f"(lambda whole, first: whole[first : first + {length}])({v(1)}, {self.integer(depth)} % 2)",
                "fancy index": lambda: f"{self.vector(LONGEST, depth)}[[{', '.join(places)}]]",
                "take": lambda: f"np.take({self.vector(LONGEST, depth)}, [{', '.join(places)}])",
                "diff": lambda: f"np.diff({v(1)})",
                "sort": lambda: self.pick(f"np.sort({v()})", f"np.sort({v()}, axis=None, kind='stable')", f"np.sort({v()})[::-1]"),
                "sorted by another": lambda: (
                    f"(lambda whole, order: whole[order])({v()}, np.argsort({v()}, kind='stable'))" if length > 1 else f"np.sort({v()})"
                ),
            }
        )

    def reshaped(self, length: int, depth: int) -> str:
        rows = self.pick(*[size for size in range(1, length + 1) if length % size == 0])
        shape = f"({rows}, {length // rows})"
        v = lambda: self.vector(length, depth)  # noqa: E731
        flat = self.pick(".ravel()", ".flatten()", f".reshape({length})", ".reshape(-1)")
        return self.one_of(
            {
                "reshape": lambda: f"np.reshape({v()}, {shape}){flat}",
                "transpose": lambda: f"np.reshape({v()}, {shape}).T{flat}",
                "outer": lambda: f"np.outer({self.vector(rows, depth)}, {self.vector(length // rows, depth)}){flat}",
                "new axis": lambda: self.pick(
                    f"{v()}[None][0]", f"{v()}[:, None][:, 0]", f"np.expand_dims({v()}, 0)[0]", f"{v()}[None, :]{flat}"
                ),
                "axis of length 1": lambda: f"np.{self.pick('sum', 'max', 'mean')}({v()}[:, None], axis=1)",
                "reduced axis": lambda: f"np.{self.pick('sum', 'max', 'min')}(np.stack([{v()}, {v()}]), axis=0)",
                "squeeze": lambda: f"np.squeeze({self.vector(length + 1, depth)}[:, None])[1:]",
                "diag": lambda: f"np.diag({v()}).sum(axis=0)",
                "column of rows": lambda: f"np.vstack([{v()}, {v()}])[{self.pick('0', '1', f'{self.integer(depth)} % 2')}]",
            }
        )

    def small(self, length: int, depth: int) -> str:
        """A vector of elements between -3 and 3, so that the last bit of a result is far below its sixth decimal."""
        return f"np.clip({self.vector(length, depth)}, -3.0, 3.0)"

    def computed(self, length: int, depth: int) -> str:
        v, x, small = lambda: self.vector(length, depth), lambda: self.number(depth), lambda length: self.small(length, depth)
        # The diagonal dominates.
        matrix = lambda: f"(np.eye({length}) * 20.0 + np.outer({small(length)}, np.sign({v()})))"  # noqa: E731
        return self.one_of(
            {
                "broadcast": lambda: f"({v()} {self.pick('+', '-', '*')} {self.vector(1, depth)})",
                "elementwise": lambda: f"np.{self.pick('maximum', 'minimum', 'fmax', 'add', 'multiply', 'copysign')}({v()}, {v()})",
                "one argument": lambda: f"np.{self.pick('abs', 'floor', 'sign', 'negative', 'square', 'trunc', 'nan_to_num')}({v()})",
                "mask times": lambda: f"({v()} * ({v()} > {x()}))",
                "where logical": lambda: (
                    f"np.where(np.logical_{self.pick('and', 'or', 'xor')}({v()} > {x()}, {v()} < {x()}), {v()}, {x()})"
                ),
                "cumulative": lambda: self.pick(f"np.cumsum({v()})", f"np.cumprod(np.clip({v()}, -9.0, 9.0))"),
                "vector branch": lambda: f"({v()} if {self.test(depth)} else {v()})",
                "clip method": lambda: f"{v()}.clip({self.pick('-1.0', '0.0')}, {self.pick('1.0', '50.0')})",
                "comprehension": lambda: f"np.array([item * 0.5 for item in {v()}])",
                "interp": lambda: f"np.interp({v()}, {self.pick('[-1.0, 0.5, 2.0]', '[-50.0, 0.0, 50.0]')}, {self.vector(3, depth)})",
                "interp outside": lambda: f"np.interp({v()}, np.sort({self.vector(2, depth)}), [1, 3], left={x()}, right=-1)",
                "convolve": lambda: f"np.round(np.convolve({small(length)}, {small(1)}), 6)",
                "convolve same": lambda: f"np.round(np.convolve({small(length)}, {small(1 + length // 2)}, 'same'), 6)",
                "einsum": lambda: self.pick(f"np.einsum('i,i->i', {v()}, {v()})", f"np.einsum('ji->i', np.stack([{v()}, {v()}]))"),
                "solve": lambda: f"np.round(np.linalg.solve({matrix()}, {small(length)}), 6)",
                "inv": lambda: f"np.round(np.linalg.inv({matrix()})[{self.pick('0', '-1')}], 6)",
                "cholesky": lambda: f"np.round(np.linalg.cholesky((lambda c: np.outer(c, c) + np.eye({length}))({small(length)})), 6)[-1]",
                "special": lambda: f"np.round(special.{self.pick('expit', 'erf', 'softmax')}({small(length)}), 6)",
                "gammaln": lambda: f"np.round(special.gammaln(np.abs({small(length)}) + 0.125), 6)",
                "percentiles": lambda: f"np.percentile({v()}, np.linspace(0.0, 100.0, {length}))",
                "copy": lambda: self.pick(f"{v()}.copy()", f"{v()}.astype(float)", f"np.zeros_like({v()} * 1.0)"),
            }
        )

    def joined(self, length: int, depth: int) -> str:
        if length == 1:
            return self.use("array of a number", self.pick(f"np.array([{self.number(depth)}])", f"np.atleast_1d({self.number(depth)})"))
        first = self.source.randrange(1, length)
        a, b = self.vector(first, depth), self.vector(length - first, depth)
        return self.use("joined", self.pick(f"np.concatenate([{a}, {b}])", f"np.hstack(({a}, {b}))", f"np.append({a}, {b})"))

    # What comes out of them

    def number_of_vector(self, depth: int) -> str:
        """A float that a vector is reduced to, or a choice between such."""
        size = self.length()
        v, x = lambda: self.vector(size, depth + 1), lambda: self.number(depth)
        part = self.pick(*[rows for rows in range(1, size + 1) if size % rows == 0])
        return self.one_of(
            {
                "reduction of a vector": lambda: self.reduction(v()),
                "reduction of an expression": lambda: self.reduction(v()),
                "branch of reductions": lambda: (
                    f"({self.reduction(v())} if {self.test(depth)} else {self.pick('2.0', x(), self.reduction(v()))})"
                ),
                "spread": lambda: f"np.{self.pick('std', 'var')}({v()})",
                "product": lambda: f"np.prod(np.clip({v()}, -9.0, 9.0))",
                "element of an expression": lambda: f"{v()}[{self.pick('0', '-1', f'{self.integer(depth)} % {size}')}]",
                "item": lambda: self.pick(f"{self.vector(1, depth)}.item()", f"float({self.vector(1, depth)}[0])"),
                "reduction of a matrix": lambda: f"np.{self.pick('max', 'min')}(np.reshape({v()}, ({part}, {size // part})))",
                "trace": lambda: f"np.trace(np.outer({self.vector(2, depth)}, {self.vector(2, depth)}))",
                "divmod": lambda: f"divmod({x()}, abs({x()}) + 0.5)[{self.pick('0', '1')}]",
                "loop over a vector": lambda: f"sum([item for item in {v()}])",
                "dot of two": lambda: self.pick("np.dot({}, {})", "({} @ {})", "np.inner({}, {})").format(
                    self.vector(2, depth), self.vector(2, depth)
                ),
                "math": lambda: self.pick(
                    f"math.sqrt(abs({x()}))", f"math.fabs({x()})", f"math.copysign({x()}, {x()})", f"math.fmod({x()}, abs({x()}) + 0.5)"
                ),
                "median": lambda: self.pick(f"np.median({v()})", f"np.median(np.stack([{v()}, {v()}]), axis=0)[0]"),
                "percentile": lambda: f"np.percentile({v()}, {self.pick('0', '37.5', '50', '99')})",
                "quantile": lambda: f"np.quantile({v()}, np.clip({x()} * 0.01, 0.0, 1.0))",
                "det": lambda: f"np.round(np.linalg.det(np.eye({size}) * 4.0 + np.outer({self.small(size, depth)}, np.ones({size}))), 6)",
                "einsum to a number": lambda: f"np.round(np.einsum('i,i', {self.small(size, depth)}, {self.small(size, depth)}), 6)",
                "logsumexp": lambda: f"np.round(special.logsumexp({self.small(size, depth)}), 6)",
                "power of ints": lambda: f"(0.5 * {self.integer(depth)} ** 2)",
            }
        )

    def reduction(self, vector: str) -> str:
        """One of many ways to reduce a vector to a number."""
        return self.pick(
            f"np.{self.pick('sum', 'max', 'min', 'mean')}({vector})",
            f"{vector}.{self.pick('sum', 'max', 'min', 'mean')}()",
            f"{self.pick('sum', 'max', 'min')}({vector})",
        )

    def integer_of_vector(self, depth: int) -> str:
        """An int that a vector is reduced to."""
        size = self.length()
        v = lambda: self.vector(size, depth + 1)  # noqa: E731
        rows = self.pick(*[rows for rows in range(1, size + 1) if size % rows == 0])
        matrix = lambda: f"np.reshape({v()}, ({rows}, {size // rows}))"  # noqa: E731
        return self.one_of(
            {
                "argmin method": lambda: f"int({v()}.{self.pick('argmin', 'argmax')}())",
                "argmax of an expression": lambda: f"int(np.{self.pick('argmin', 'argmax')}({v()}))",
                "argmax of repeats": lambda: f"int({self.repeated(size, depth)}.{self.pick('argmin', 'argmax')}())",
                "argmax of moves": lambda: f"int({self.moved(size, depth)}.{self.pick('argmin', 'argmax')}())",
                "argmax of a matrix": lambda: f"int({matrix()}.{self.pick('argmin', 'argmax')}())",
                "argmax of an axis": lambda: f"int(np.argmax({matrix()}, axis={self.pick('0', '1')})[0])",
                "argmax of a branch": lambda: f"int(np.argmax({v()} if {self.test(depth)} else {v()}))",
                "argsort": lambda: f"int(np.argsort({v()}, kind='stable')[{self.pick('0', '-1')}])",
                "searchsorted": lambda: f"int(np.searchsorted(np.sort({v()}), {self.number(depth)}, '{self.pick('left', 'right')}'))",
                "count_nonzero": lambda: f"int(np.count_nonzero({v()} > {self.number(depth)}))",
                "shift": lambda: f"(({self.integer(depth)} {self.pick('<<', '>>')} {self.pick('1', '3')}) % 1000)",
                "invert": lambda: f"(~{self.integer(depth)} % 1000)",
                "len": lambda: f"len({v()})",
                "extreme of ints": lambda: f"{self.pick('max', 'min')}({self.integer(depth)}, {self.integer(depth)})",
            }
        )

    def test_of_vector(self, depth: int) -> str:
        """A truth value that a vector is reduced to."""
        size = self.length()
        v, x = lambda: self.vector(size, depth + 1), lambda: self.number(depth)
        return self.one_of(
            {
                "any all method": lambda: f"bool(({v()} > {x()}).{self.pick('any', 'all')}())",
                "in a tuple": lambda: f"({self.integer(depth)} {self.pick('in', 'not in')} (0, 1, 2, 7))",
                "isclose": lambda: f"bool(np.isclose({x()}, {x()}))",
                "all of an iterable": lambda: f"{self.pick('any', 'all')}([item > {x()} for item in {v()}])",
                "equal vectors": lambda: f"bool(np.all({v()} == {v()}))",
            }
        )
