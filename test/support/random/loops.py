"""
Random modules at the level of loops: arith, math, scf, affine, memref and calls, free of undefined behaviour.

Each function has the signature `(memref<16xf64>, memref<16xi64>, f64, i64) -> f64`. What a program computes depends on
the machine nowhere: divisors are not zero, shifts are in range, casts to integers are clamped, and the bits and signs
of NaN are never looked at.
"""

from __future__ import annotations

import random

FLOATS, INTS, SIZE = "f64", "i64", 16


class RandomModule:
    """Writes random functions with the choices of `choices`."""

    def __init__(self, choices: random.Random):
        self.choices = choices
        self.functions: list[str] = []
        self.helpers: list[str] = []

    def text(self, functions: int, statements: int) -> str:
        """A module with `functions` public functions @f0, @f1 ... of about `statements` statements each."""
        for _ in range(self.choices.randint(0, 2)):
            self.helpers.append(self.helper(len(self.helpers)))
        for number in range(functions):
            self.functions.append(RandomFunction(self, statements).text(f"f{number}"))
        table = ", ".join(f"{self.choices.uniform(-2, 2)!r}" for _ in range(SIZE))
        head = (
            '"memref.global"() <{sym_name = "table", sym_visibility = "private", constant, '
            f"type = memref<{SIZE}xf64>, initial_value = dense<[{table}]> : tensor<{SIZE}xf64>}}> : () -> ()"
        )
        return "\n".join(["builtin.module {", head, *self.helpers, *self.functions, "}"])

    def helper(self, number: int) -> str:
        """A private function with two results and a destination."""
        op = self.choices.choice(["addf", "mulf", "subf"])
        return f"""
func.func private @helper{number}(%x: f64, %k: i64, %m: memref<{SIZE}xf64>) -> (f64, i64) {{
  %c15 = arith.constant 15 : i64
  %j = arith.andi %k, %c15 : i64
  %p = arith.index_cast %j : i64 to index
  %old = memref.load %m[%p] : memref<{SIZE}xf64>
  %new = arith.{op} %old, %x : f64
  memref.store %new, %m[%p] : memref<{SIZE}xf64>
  %next = arith.addi %k, %j : i64
  func.return %new, %next : f64, i64
}}"""


class RandomFunction:
    """One function: values in scope by type, and lines of text."""

    def __init__(self, module: RandomModule, statements: int):
        self.module = module
        self.choices = module.choices
        self.budget = statements
        self.count = 0
        self.lines: list[str] = []
        self.scope: dict[str, list[str]] = {FLOATS: ["%x"], INTS: ["%i"], "i1": [], "index": [], "f32": []}
        self.depth = 0

    def text(self, name: str) -> str:
        """The whole function."""
        head = f"func.func @{name}(%m: memref<{SIZE}xf64>, %k: memref<{SIZE}xi64>, %x: f64, %i: i64) -> f64 {{"
        self.emit("arith.constant true", "i1")
        self.emit("arith.constant 3 : index", "index")
        self.emit("arith.constant 0.5 : f32", "f32")
        self.block(self.budget)
        result = self.pick(FLOATS)
        return "\n".join([head, *self.lines, f"  func.return {result} : f64", "}"])

    # -- pieces

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    def emit(self, text: str, type: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {text}")
        self.scope[type].append(name)
        return name

    def pick(self, type: str) -> str:
        return self.choices.choice(self.scope[type])

    def int_constant(self, value: int, type: str = INTS) -> str:
        return self.emit(f"arith.constant {value} : {type}", type)

    def block(self, statements: int) -> None:
        """Some statements; what they define stays in scope."""
        for _ in range(statements):
            if self.budget <= 0:
                return
            self.budget -= 1
            getattr(self, self.choices.choice(STATEMENTS))()

    def nested(self, statements: int) -> dict[str, list[str]]:
        """Statements in a region: the scope as it was before, to be restored."""
        before = {type: list(names) for type, names in self.scope.items()}
        self.depth += 1
        self.block(statements)
        return before

    def leave(self, before: dict[str, list[str]]) -> None:
        self.depth -= 1
        self.scope = before

    def place(self) -> str:
        """An index between 0 and 15."""
        masked = self.emit(f"arith.andi {self.pick(INTS)}, {self.int_constant(15)} : i64", INTS)
        return self.emit(f"arith.index_cast {masked} : i64 to index", "index")

    def not_nan(self, value: str) -> str:
        """`value`, or 0 where it is NaN."""
        ordered = self.emit(f"arith.cmpf ord, {value}, {value} : f64", "i1")
        zero = self.emit("arith.constant 0.0 : f64", FLOATS)
        return self.emit(f"arith.select {ordered}, {value}, {zero} : f64", FLOATS)

    # -- statements

    def constant(self) -> None:
        if self.choices.random() < 0.5:
            value = self.choices.choice([0.0, -0.0, 1.0, -1.5, 1e300, 1e-310, 3.141592653589793, self.choices.uniform(-9, 9)])
            self.emit(f"arith.constant {value!r} : f64" if "e" not in repr(value) else f"arith.constant {value:e} : f64", FLOATS)
        else:
            self.int_constant(self.choices.choice([0, 1, -1, 2**63 - 1, -(2**63), self.choices.randint(-99, 99)]))

    def float_binary(self) -> None:
        op = self.choices.choice(["addf", "subf", "mulf", "divf", "maximumf", "minimumf"])
        self.emit(f"arith.{op} {self.pick(FLOATS)}, {self.pick(FLOATS)} : f64", FLOATS)

    def single_precision(self) -> None:
        narrow = self.emit(f"arith.truncf {self.pick(FLOATS)} : f64 to f32", "f32")
        op = self.choices.choice(["addf", "subf", "mulf", "divf"])
        outcome = self.emit(f"arith.{op} {narrow}, {self.pick('f32')} : f32", "f32")
        self.emit(f"arith.extf {outcome} : f32 to f64", FLOATS)

    def float_unary(self) -> None:
        op = self.choices.choice(["sqrt", "absf", "floor", "ceil", "trunc", "roundeven"])
        self.emit(f"math.{op} {self.pick(FLOATS)} : f64", FLOATS)

    def negate(self) -> None:
        self.emit(f"arith.negf {self.pick(FLOATS)} : f64", FLOATS)

    def fused(self) -> None:
        self.emit(f"math.fma {self.pick(FLOATS)}, {self.pick(FLOATS)}, {self.pick(FLOATS)} : f64", FLOATS)

    def copy_sign(self) -> None:
        sign = self.not_nan(self.pick(FLOATS))
        self.emit(f"math.copysign {self.pick(FLOATS)}, {sign} : f64", FLOATS)

    def int_binary(self) -> None:
        op = self.choices.choice(["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"])
        self.emit(f"arith.{op} {self.pick(INTS)}, {self.pick(INTS)} : i64", INTS)

    def shift(self) -> None:
        amount = self.emit(f"arith.andi {self.pick(INTS)}, {self.int_constant(63)} : i64", INTS)
        op = self.choices.choice(["shli", "shrui", "shrsi"])
        self.emit(f"arith.{op} {self.pick(INTS)}, {amount} : i64", INTS)

    def divide(self) -> None:
        masked = self.emit(f"arith.andi {self.pick(INTS)}, {self.int_constant(1023)} : i64", INTS)
        divisor = self.emit(f"arith.addi {masked}, {self.int_constant(1)} : i64", INTS)
        if self.choices.random() < 0.3:
            divisor = self.emit(f"arith.subi {self.int_constant(-1)}, {divisor} : i64", INTS)
        op = self.choices.choice(["divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"])
        self.emit(f"arith.{op} {self.pick(INTS)}, {divisor} : i64", INTS)

    def extended(self) -> None:
        lhs, rhs = self.pick(INTS), self.pick(INTS)
        a, b = self.fresh(), self.fresh()
        if self.choices.random() < 0.5:
            self.line(f"{a}, {b} = arith.addui_extended {lhs}, {rhs} : i64, i1")
            self.scope["i1"].append(b)
        else:
            self.line(f"{a}, {b} = arith.{self.choices.choice(['mului_extended', 'mulsi_extended'])} {lhs}, {rhs} : i64")
            self.scope[INTS].append(b)
        self.scope[INTS].append(a)

    def compare(self) -> None:
        if self.choices.random() < 0.5:
            predicate = self.choices.choice("oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split())
            self.emit(f"arith.cmpf {predicate}, {self.pick(FLOATS)}, {self.pick(FLOATS)} : f64", "i1")
        else:
            predicate = self.choices.choice("eq ne slt sle sgt sge ult ule ugt uge".split())
            self.emit(f"arith.cmpi {predicate}, {self.pick(INTS)}, {self.pick(INTS)} : i64", "i1")

    def select(self) -> None:
        type = self.choices.choice([FLOATS, INTS])
        self.emit(f"arith.select {self.pick('i1')}, {self.pick(type)}, {self.pick(type)} : {type}", type)

    def truth(self) -> None:
        op = self.choices.choice(["andi", "ori", "xori"])
        both = self.emit(f"arith.{op} {self.pick('i1')}, {self.pick('i1')} : i1", "i1")
        self.emit(f"arith.{self.choices.choice(['extui', 'extsi'])} {both} : i1 to i64", INTS)

    def convert(self) -> None:
        kind = self.choices.randrange(5)
        if kind == 0:
            self.emit(f"arith.{self.choices.choice(['sitofp', 'uitofp'])} {self.pick(INTS)} : i64 to f64", FLOATS)
        elif kind == 1:
            value = self.not_nan(self.pick(FLOATS))
            big = self.emit("arith.constant 1000000.0 : f64", FLOATS)
            small = self.emit("arith.constant 0.0 : f64", FLOATS)
            low = self.emit(f"arith.minimumf {value}, {big} : f64", FLOATS)
            clamped = self.emit(f"arith.maximumf {low}, {small} : f64", FLOATS)
            self.emit(f"arith.{self.choices.choice(['fptosi', 'fptoui'])} {clamped} : f64 to i64", INTS)
        elif kind == 2:
            self.emit(f"arith.bitcast {self.not_nan(self.pick(FLOATS))} : f64 to i64", INTS)
        elif kind == 3:
            name = self.fresh()
            self.line(f"{name} = arith.trunci {self.pick(INTS)} : i64 to i32")
            self.emit(f"arith.{self.choices.choice(['extui', 'extsi'])} {name} : i32 to i64", INTS)
        else:
            self.emit(f"math.{self.choices.choice(['ctpop', 'ctlz', 'cttz'])} {self.pick(INTS)} : i64", INTS)

    def load(self) -> None:
        if self.choices.random() < 0.6:
            self.emit(f"memref.load %m[{self.place()}] : memref<{SIZE}xf64>", FLOATS)
        else:
            self.emit(f"memref.load %k[{self.place()}] : memref<{SIZE}xi64>", INTS)

    def store(self) -> None:
        if self.choices.random() < 0.6:
            self.line(f"memref.store {self.pick(FLOATS)}, %m[{self.place()}] : memref<{SIZE}xf64>")
        else:
            self.line(f"memref.store {self.pick(INTS)}, %k[{self.place()}] : memref<{SIZE}xi64>")

    def table(self) -> None:
        table = self.fresh()
        self.line(f"{table} = memref.get_global @table : memref<{SIZE}xf64>")
        self.emit(f"memref.load {table}[{self.place()}] : memref<{SIZE}xf64>", FLOATS)

    def call(self) -> None:
        if not self.module.helpers:
            return
        number = self.choices.randrange(len(self.module.helpers))
        pair = self.fresh()
        self.line(
            f"{pair}:2 = func.call @helper{number}({self.pick(FLOATS)}, {self.pick(INTS)}, %m)"
            f" : (f64, i64, memref<{SIZE}xf64>) -> (f64, i64)"
        )
        self.scope[FLOATS].append(f"{pair}#0")
        self.scope[INTS].append(f"{pair}#1")

    def views(self) -> None:
        """A local buffer with a copy of %m, seen as a matrix, of which one column is doubled."""
        local, matrix, column = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{local} = memref.alloca() : memref<{SIZE}xf64>")
        self.line(f'"memref.copy"(%m, {local}) : (memref<{SIZE}xf64>, memref<{SIZE}xf64>) -> ()')
        self.line(f"{matrix} = memref.expand_shape {local} [[0, 1]] output_shape [4, 4] : memref<{SIZE}xf64> into memref<4x4xf64>")
        at = self.choices.randrange(4)
        layout = f"memref<4xf64, strided<[4], offset: {at}>>"
        self.line(f"{column} = memref.subview {matrix}[0, {at}] [4, 1] [1, 1] : memref<4x4xf64> to {layout}")
        for row in range(4):
            place = self.int_constant(row, "index")
            value = self.emit(f"memref.load {column}[{place}] : {layout}", FLOATS)
            doubled = self.emit(f"arith.addf {value}, {value} : f64", FLOATS)
            self.line(f"memref.store {doubled}, {column}[{place}] : {layout}")
        self.emit(f"memref.load {local}[{self.place()}] : memref<{SIZE}xf64>", FLOATS)

    # -- control flow

    def branch(self) -> None:
        outcome = self.fresh()
        self.line(f"{outcome} = scf.if {self.pick('i1')} -> (f64) {{")
        before = self.nested(self.choices.randint(0, 4))
        yielded = self.pick(FLOATS)
        self.leave(before)
        self.line(f"  scf.yield {yielded} : f64")
        self.line("} else {")
        before = self.nested(self.choices.randint(0, 4))
        yielded = self.pick(FLOATS)
        self.leave(before)
        self.line(f"  scf.yield {yielded} : f64")
        self.line("}")
        self.scope[FLOATS].append(outcome)

    def one_armed(self) -> None:
        self.line(f"scf.if {self.pick('i1')} {{")
        before = self.nested(self.choices.randint(1, 4))
        self.leave(before)
        self.line("}")

    def counted(self) -> None:
        if self.depth > 2:
            return
        masked = self.emit(f"arith.andi {self.pick(INTS)}, {self.int_constant(7)} : i64", INTS)
        upper = self.emit(f"arith.index_cast {masked} : i64 to index", "index")
        lower = self.int_constant(self.choices.randint(-2, 2), "index")
        step = self.int_constant(self.choices.randint(1, 3), "index")
        outcome, position, a, b = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        start = f"{a} = {self.pick(FLOATS)}, {b} = {self.pick(INTS)}"
        self.line(f"{outcome}:2 = scf.for {position} = {lower} to {upper} step {step} iter_args({start}) -> (f64, i64) {{")
        self.scope[FLOATS].append(a)
        self.scope[INTS].append(b)
        before = self.nested(self.choices.randint(1, 5))
        count = self.emit(f"arith.index_cast {position} : index to i64", INTS)
        summed = self.emit(f"arith.addi {b}, {count} : i64", INTS)
        yielded = f"{self.pick(FLOATS)}, {summed}"
        self.leave(before)
        self.line(f"  scf.yield {yielded} : f64, i64")
        self.line("}")
        self.scope[FLOATS].remove(a)
        self.scope[INTS].remove(b)
        self.scope[FLOATS].append(f"{outcome}#0")
        self.scope[INTS].append(f"{outcome}#1")

    def repeated(self) -> None:
        """A while loop that a counter ends, if nothing else does."""
        if self.depth > 2:
            return
        outcome, a, n = self.fresh(), self.fresh(), self.fresh()
        zero, limit = self.int_constant(0), self.int_constant(self.choices.randint(1, 9))
        one = self.int_constant(1)
        self.line(f"{outcome}:2 = scf.while ({a} = {self.pick(FLOATS)}, {n} = {zero}) : (f64, i64) -> (f64, i64) {{")
        self.scope[FLOATS].append(a)
        self.scope[INTS].append(n)
        before = self.nested(self.choices.randint(0, 3))
        less = self.emit(f"arith.cmpi slt, {n}, {limit} : i64", "i1")
        go_on = self.emit(f"arith.andi {less}, {self.pick('i1')} : i1", "i1")
        forwarded = self.pick(FLOATS)
        self.leave(before)
        self.line(f"  scf.condition({go_on}) {forwarded}, {n} : f64, i64")
        self.scope[FLOATS].remove(a)
        self.scope[INTS].remove(n)
        b, k = self.fresh(), self.fresh()
        self.line("} do {")
        self.line(f"^bb0({b}: f64, {k}: i64):")
        self.scope[FLOATS].append(b)
        self.scope[INTS].append(k)
        before = self.nested(self.choices.randint(0, 3))
        following = self.emit(f"arith.addi {k}, {one} : i64", INTS)
        yielded = self.pick(FLOATS)
        self.leave(before)
        self.line(f"  scf.yield {yielded}, {following} : f64, i64")
        self.line("}")
        self.scope[FLOATS].remove(b)
        self.scope[INTS].remove(k)
        self.scope[FLOATS].append(f"{outcome}#0")
        self.scope[INTS].append(f"{outcome}#1")

    def switch(self) -> None:
        outcome = self.fresh()
        masked = self.emit(f"arith.andi {self.pick(INTS)}, {self.int_constant(3)} : i64", INTS)
        flag = self.emit(f"arith.index_cast {masked} : i64 to index", "index")
        self.line(f"{outcome} = scf.index_switch {flag} -> f64")
        for case in ("case 0", "case 2", "default"):
            self.line(f"{case} {{")
            before = self.nested(self.choices.randint(0, 3))
            yielded = self.pick(FLOATS)
            self.leave(before)
            self.line(f"  scf.yield {yielded} : f64")
            self.line("}")
        self.scope[FLOATS].append(outcome)

    def region(self) -> None:
        outcome = self.fresh()
        self.line(f'{outcome} = "scf.execute_region"() ({{')
        before = self.nested(self.choices.randint(0, 3))
        condition, left, right = self.pick("i1"), self.pick(FLOATS), self.pick(FLOATS)
        self.leave(before)
        label = self.count
        self.line(f"  cf.cond_br {condition}, ^left{label}, ^right{label}")
        self.line(f"^left{label}:")
        self.line(f"  scf.yield {left} : f64")
        self.line(f"^right{label}:")
        self.line(f"  scf.yield {right} : f64")
        self.line("}) : () -> f64")
        self.scope[FLOATS].append(outcome)

    def affine_loop(self) -> None:
        if self.depth > 2:
            return
        index = self.fresh()
        shift, factor = self.choices.randint(-20, 20), self.choices.randint(-3, 3)
        start, end = self.choices.randint(0, 3), self.choices.randint(2, 12)
        self.line(f"affine.for {index} = {start} to {end} step {self.choices.randint(1, 3)} {{")
        before = self.nested(0)
        value = self.fresh()
        self.line(f"{value} = affine.load %m[({index} * {factor} + {shift}) mod {SIZE}] : memref<{SIZE}xf64>")
        self.scope[FLOATS].append(value)
        self.block(self.choices.randint(0, 2))
        self.line(f"affine.store {self.pick(FLOATS)}, %m[({index} + {shift}) floordiv 3 mod {SIZE}] : memref<{SIZE}xf64>")
        self.line(f"affine.store {self.pick(FLOATS)}, %m[({index} + {shift}) ceildiv 4 mod {SIZE}] : memref<{SIZE}xf64>")
        self.leave(before)
        self.line("}")

    def affine_bounds(self) -> None:
        """An affine loop whose bounds depend on the index of the loop around it."""
        if self.depth > 1:
            return
        outer, index, outcome, a = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        start, end = self.choices.randint(0, 5), self.choices.randint(4, 16)
        self.line(f"affine.for {outer} = {start} to {end} step {self.choices.randint(1, 4)} {{")
        before = self.nested(0)
        head = f"affine.for {index} = max affine_map<(d0) -> (0, d0 - 5)>({outer}) to min affine_map<(d0) -> (d0, 11)>({outer})"
        self.line(f"{outcome} = {head} iter_args({a} = {self.pick(FLOATS)}) -> (f64) {{")
        inner = self.nested(0)
        self.scope[FLOATS].append(a)
        value = self.fresh()
        self.line(f"{value} = affine.load %m[{index}] : memref<{SIZE}xf64>")
        self.scope[FLOATS].append(value)
        self.block(self.choices.randint(0, 2))
        yielded = self.emit(f"arith.addf {a}, {self.pick(FLOATS)} : f64", FLOATS)
        self.leave(inner)
        self.line(f"  affine.yield {yielded} : f64")
        self.line("}")
        self.line(f"affine.store {outcome}, %m[{outer}] : memref<{SIZE}xf64>")
        self.leave(before)
        self.line("}")


STATEMENTS = (
    *("constant", "float_binary", "float_binary", "single_precision", "float_unary", "negate", "fused", "copy_sign"),
    *("int_binary", "int_binary", "shift", "divide", "extended", "compare", "compare", "select", "truth", "convert"),
    *("load", "store", "store", "table", "call", "views", "branch", "one_armed", "counted", "counted", "repeated"),
    *("switch", "region", "affine_loop", "affine_bounds"),
)
"""The kinds of statements, some more likely than others."""
