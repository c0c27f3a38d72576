"""
Random functions of numbers: every operation of `arith` and `math`, in branches and loops, with constants that are awkward.

`@main(%x, %y, %z: f64, %s: f32, %i, %j: i64, %b: i1)`. They have no undefined behaviour, but overflow, and make NaN, subnormals and -0.0.
"""

from __future__ import annotations

from random import Random

AWKWARD = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1e308, -1e308, 1.7976931348623157e308,
    1e-160, 1e160, 0.1, 709.7, -745.2, 3.141592653589793, 1.5707963267948966, 1e8, 1e17, 0.9999999999999999, 1.0000000000000002,
)  # fmt: skip
F64, F32, I64, I1 = "f64", "f32", "i64", "i1"
FLOAT_BINARY = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf")
EXACT = ("absf", "ceil", "floor", "roundeven", "round", "sqrt", "trunc", "rsqrt")
ELEMENTARY = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "exp", "exp2", "expm1", "log", "log10", "log1p",
    "log2", "sin", "sinh", "tan", "tanh",
)  # fmt: skip
TESTS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
INT_BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
DIVISIONS = ("divsi", "remsi", "floordivsi", "ceildivsi", "divui", "remui", "ceildivui")
INT_TESTS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def literal(number: float) -> str:
    """A number as MLIR reads it."""
    return f"{number:.17e}"


class Scalars:
    """Writes one function."""

    def __init__(self, source: Random, size: int):
        self.source = source
        self.budget = size
        self.lines: list[str] = []
        self.count = 0
        self.depth = 0
        self.names: dict[str, list[str]] = {F64: ["%x", "%y", "%z"], F32: ["%s"], I64: ["%i", "%j"], I1: ["%b"]}
        self.block(size)
        results = [(name, type) for type, names in self.names.items() for name in names]
        types = ", ".join(type for _, type in results)
        head = "func.func @main(%x: f64, %y: f64, %z: f64, %s: f32, %i: i64, %j: i64, %b: i1)"
        body = "\n".join(self.lines)
        self.text = f"{head} -> ({types}) {{\n{body}\nfunc.return {', '.join(name for name, _ in results)} : {types}\n}}"

    def emit(self, text: str, type: str) -> str:
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        self.names[type].append(name)
        return name

    def pick(self, type: str) -> str:
        """A value, the latest ones more often."""
        names = self.names[type]
        return self.source.choice(names[-4:] if self.source.random() < 0.6 else names)

    def number(self, value: float) -> str:
        return self.emit(f"arith.constant {literal(value)} : f64", F64)

    def whole(self, value: int) -> str:
        return self.emit(f"arith.constant {value} : i64", I64)

    def block(self, statements: int) -> None:
        kinds = (
            *[self.constant] * 2, *[self.float_binary] * 6, *[self.float_unary] * 3, self.elementary, self.elementary, self.two_arguments,
            self.fused, self.test, self.test, self.select, self.select, self.clip, self.integer, self.integer, self.division, self.shift,
            self.convert, self.convert, self.bits, self.single, self.flag, self.branch, self.branch, self.counted, self.residual,
            self.leaky,
        )  # fmt: skip
        for _ in range(statements):
            if self.budget > 0:
                self.budget -= 1
                self.source.choice(kinds)()

    # Straight lines

    def constant(self) -> None:
        if self.source.random() < 0.7:
            self.number(self.source.choice(AWKWARD) if self.source.random() < 0.6 else round(self.source.uniform(-9.0, 9.0), 2))
        else:
            self.whole(self.source.choice([0, 1, -1, 2, 7, -5, 63, 2**63 - 1, -(2**63), 2**53 + 1]))

    def float_binary(self) -> None:
        self.emit(f"arith.{self.source.choice(FLOAT_BINARY)} {self.pick(F64)}, {self.pick(F64)} : f64", F64)

    def float_unary(self) -> None:
        op = self.source.choice(("arith.negf", *[f"math.{name}" for name in EXACT]))
        self.emit(f"{op} {self.pick(F64)} : f64", F64)

    def elementary(self) -> None:
        self.emit(f"math.{self.source.choice(ELEMENTARY)} {self.pick(F64)} : f64", F64)

    def two_arguments(self) -> None:
        self.emit(f"math.{self.source.choice(('powf', 'atan2', 'copysign'))} {self.pick(F64)}, {self.pick(F64)} : f64", F64)

    def fused(self) -> None:
        self.emit(f"math.fma {self.pick(F64)}, {self.pick(F64)}, {self.pick(F64)} : f64", F64)

    def test(self) -> str:
        if self.source.random() < 0.7:
            return self.emit(f"arith.cmpf {self.source.choice(TESTS)}, {self.pick(F64)}, {self.pick(F64)} : f64", I1)
        return self.emit(f"arith.cmpi {self.source.choice(INT_TESTS)}, {self.pick(I64)}, {self.pick(I64)} : i64", I1)

    def select(self) -> None:
        type = self.source.choice((F64, F64, I64, I1))
        self.emit(f"arith.select {self.pick(I1)}, {self.pick(type)}, {self.pick(type)} : {type}", type)

    def clip(self) -> None:
        """x < c ? c : x, and its kin."""
        x, limit = self.pick(F64), self.pick(F64)
        test = self.emit(f"arith.cmpf {self.source.choice(TESTS)}, {x}, {limit} : f64", I1)
        other = self.emit(f"arith.addf {x}, {limit} : f64", F64) if self.source.random() < 0.5 else limit
        pair = (other, x) if self.source.random() < 0.5 else (x, other)
        self.emit(f"arith.select {test}, {pair[0]}, {pair[1]} : f64", F64)

    def integer(self) -> None:
        self.emit(f"arith.{self.source.choice(INT_BINARY)} {self.pick(I64)}, {self.pick(I64)} : i64", I64)

    def division(self) -> None:
        divisor = self.source.choice((1, 2, 3, 7, -3, 1000))
        self.emit(f"arith.{self.source.choice(DIVISIONS)} {self.pick(I64)}, {self.whole(divisor)} : i64", I64)

    def shift(self) -> None:
        op, amount = self.source.choice(("shli", "shrsi", "shrui")), self.whole(self.source.randint(0, 63))
        self.emit(f"arith.{op} {self.pick(I64)}, {amount} : i64", I64)

    def convert(self) -> None:
        match self.source.randint(0, 5):
            case 0:
                self.emit(f"arith.sitofp {self.pick(I64)} : i64 to f64", F64)
            case 1:
                self.emit(f"arith.uitofp {self.pick(I64)} : i64 to f64", F64)
            case 2:
                self.emit(f"arith.fptosi {self.pick(F64)} : f64 to i64", I64)
            case 3:
                self.emit(f"arith.extui {self.pick(I1)} : i1 to i64", I64)
            case 4:
                self.emit(f"arith.extsi {self.pick(I1)} : i1 to i64", I64)
            case _:
                self.emit(f"arith.uitofp {self.pick(I1)} : i1 to f64", F64)

    def bits(self) -> None:
        if self.source.random() < 0.5:
            positive = self.emit(f"math.absf {self.pick(F64)} : f64", F64)
            ordered = self.emit(f"arith.cmpf ord, {positive}, {positive} : f64", I1)
            number = self.emit(f"arith.select {ordered}, {positive}, {self.number(1.0)} : f64", F64)
            self.emit(f"arith.bitcast {number} : f64 to i64", I64)
        else:
            self.emit(f"arith.bitcast {self.pick(I64)} : i64 to f64", F64)

    def single(self) -> None:
        match self.source.randint(0, 3):
            case 0:
                self.emit(f"arith.truncf {self.pick(F64)} : f64 to f32", F32)
            case 1:
                self.emit(f"arith.extf {self.pick(F32)} : f32 to f64", F64)
            case 2:
                op = self.source.choice(("addf", "subf", "mulf", "divf", "maximumf"))
                self.emit(f"arith.{op} {self.pick(F32)}, {self.pick(F32)} : f32", F32)
            case _:
                self.emit(f"math.{self.source.choice(('exp', 'tanh', 'sqrt', 'rsqrt', 'floor'))} {self.pick(F32)} : f32", F32)

    def flag(self) -> None:
        op = self.source.choice(("andi", "ori", "xori", "addi", "muli", "minsi", "maxsi", "maxui"))
        self.emit(f"arith.{op} {self.pick(I1)}, {self.pick(I1)} : i1", I1)

    # Control flow

    def inside(self, statements: int, result: str, end: str) -> None:
        """Statements of a region, whose values are not seen outside, and its end with a value of a type."""
        before = {type: list(names) for type, names in self.names.items()}
        self.depth += 1
        self.block(statements)
        self.lines.append(end.replace("@", self.pick(result)))
        self.depth -= 1
        self.names = before

    def branch(self) -> None:
        if self.depth > 2:
            return
        condition = self.test() if self.source.random() < 0.7 else self.pick(I1)
        type = self.source.choice((F64, F64, I64, I1))
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = scf.if {condition} -> ({type}) {{")
        self.inside(self.source.randint(0, 3), type, f"scf.yield @ : {type}\n}} else {{")
        self.inside(self.source.randint(0, 3), type, f"scf.yield @ : {type}\n}}")
        self.names[type].append(name)

    def counted(self) -> None:
        """A loop with few iterations, or with a number that depends on an argument."""
        if self.depth > 1:
            return
        bound = self.whole(self.source.choice((0, 1, 3, 9)))
        if self.source.random() < 0.4:
            bound = self.emit(f"arith.minui {self.pick(I64)}, {bound} : i64", I64)
        ends = [f"{self.emit_index(each)}" for each in (self.whole(0), bound, self.whole(self.source.choice((1, 2))))]
        self.count += 1
        name, index, carried = f"%v{self.count}", f"%k{self.count}", f"%c{self.count}"
        self.lines.append(
            f"{name} = scf.for {index} = {ends[0]} to {ends[1]} step {ends[2]} iter_args({carried} = {self.pick(F64)}) -> (f64) {{"
        )
        before = {type: list(names) for type, names in self.names.items()}
        self.names[F64] = [*self.names[F64], carried]
        self.emit(f"arith.index_cast {index} : index to i64", I64)
        self.inside(self.source.randint(1, 3), F64, "scf.yield @ : f64\n}")
        self.names = before
        self.names[F64].append(name)

    def emit_index(self, value: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = arith.index_cast {value} : i64 to index")
        return f"%v{self.count}"

    def residual(self) -> None:
        """A loop until a condition on floats, but not for long."""
        if self.depth > 1:
            return
        self.count += 1
        tag = self.count
        start, zero = self.pick(F64), self.whole(0)
        self.lines.append(f"%w{tag}:2 = scf.while (%c{tag} = {start}, %n{tag} = {zero}) : (f64, i64) -> (f64, i64) {{")
        before = {type: list(names) for type, names in self.names.items()}
        self.names[F64] = [*self.names[F64], f"%c{tag}"]
        self.names[I64] = [*self.names[I64], f"%n{tag}"]
        few = self.emit(f"arith.cmpi slt, %n{tag}, {self.whole(self.source.choice((2, 5)))} : i64", I1)
        going = self.emit(f"arith.andi {self.test()}, {few} : i1", I1)
        self.lines.append(f"scf.condition({going}) %c{tag}, %n{tag} : f64, i64\n}} do {{\n^bb0(%d{tag}: f64, %m{tag}: i64):")
        self.names = {type: list(names) for type, names in before.items()}
        self.names[F64] = [*self.names[F64], f"%d{tag}"]
        next_count = self.emit(f"arith.addi %m{tag}, {self.whole(1)} : i64", I64)
        self.inside(self.source.randint(0, 2), F64, f"scf.yield @, {next_count} : f64, i64\n}}")
        self.names = before
        self.names[F64].append(f"%w{tag}#0")
        self.names[I64].append(f"%w{tag}#1")

    def leaky(self) -> None:
        """x + (y - rate * x) * dt, until it is beyond a limit: an integrator."""
        if self.depth > 1:
            return
        self.count += 1
        tag = self.count
        rate, step, limit = (self.number(self.source.choice(each)) for each in ((0.5, 1.0, 0.0), (0.1, 0.25), (0.75, 1.0, 3.0)))
        start, drive, zero = self.pick(F64), self.pick(F64), self.whole(0)
        most = self.whole(self.source.choice((6, 20)))
        one = self.whole(1)
        self.lines.append(
            f"%w{tag}:2 = scf.while (%c{tag} = {start}, %n{tag} = {zero}) : (f64, i64) -> (f64, i64) {{\n"
            f"%e{tag} = arith.mulf {rate}, %c{tag} : f64\n%f{tag} = arith.subf {drive}, %e{tag} : f64\n"
            f"%g{tag} = arith.mulf %f{tag}, {step} : f64\n%h{tag} = arith.addf %c{tag}, %g{tag} : f64\n"
            f"%o{tag} = arith.addi %n{tag}, {one} : i64\n%p{tag} = arith.cmpf olt, %h{tag}, {limit} : f64\n"
            f"%q{tag} = arith.cmpi slt, %o{tag}, {most} : i64\n%r{tag} = arith.andi %p{tag}, %q{tag} : i1\n"
            f"scf.condition(%r{tag}) %h{tag}, %o{tag} : f64, i64\n}} do {{\n^bb0(%d{tag}: f64, %m{tag}: i64):\n"
            f"scf.yield %d{tag}, %m{tag} : f64, i64\n}}"
        )
        self.names[F64].append(f"%w{tag}#0")
        self.names[I64].append(f"%w{tag}#1")


def random_scalars(source: Random, size: int) -> str:
    """The text of a module with one function, `@main`."""
    return Scalars(source, size).text
