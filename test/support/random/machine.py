"""
Random programs of stage `machine`: tensors, generator states and scalars through every operation that stage has.

Old versions of tensors stay in use on purpose, in loops, branches and calls: that is what makes bufferisation hard.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

INDEX, F64, I64 = "index", "f64", "i64"
BANK, SMALL, PAIR, MATRIX, WORDS = "tensor<12xf64>", "tensor<4xf64>", "tensor<2xf64>", "tensor<3x4xf64>", "tensor<5xi64>"
ONE = "tensor<1xf64>"
STATE = "!rng.state<philox4x64>"
FLOAT_TENSORS = (BANK, SMALL, PAIR, MATRIX)
SIZES = {BANK: (12,), SMALL: (4,), PAIR: (2,), MATRIX: (3, 4), WORDS: (5,)}

LINE, POINT = "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> ()>"

HELPERS = f"""
func.func private @scale(%x: {SMALL}, %k: f64) -> ({SMALL}, f64) {{
  %e = tensor.empty() : {SMALL}
  %c = arith.constant 1 : index
  %y = linalg.generic {{indexing_maps = [{LINE}, {LINE}], iterator_types = ["parallel"]}} ins(%x : {SMALL}) outs(%e : {SMALL}) {{
  ^bb0(%a: f64, %o: f64):
    %m = arith.mulf %a, %k : f64
    linalg.yield %m : f64
  }} -> {SMALL}
  %s = tensor.extract %y[%c] : {SMALL}
  func.return %y, %s : {SMALL}, f64
}}
func.func private @step(%bank: {BANK} {{cog.updates = 1 : i64}}, %x: {SMALL}, %r: {STATE}) -> (f64, {BANK}, {STATE}, {PAIR}) {{
  %c = arith.constant 5 : index
  %n, %r1 = rng.normal %r : {STATE} -> f64
  %old = tensor.extract %bank[%c] : {BANK}
  %v = arith.addf %old, %n : f64
  %b1 = tensor.insert %v into %bank[%c] : {BANK}
  %b2 = tensor.insert_slice %x into %b1[2] [4] [1] : {SMALL} into {BANK}
  %p = tensor.extract_slice %bank[1] [2] [1] : {BANK} to {PAIR}
  func.return %old, %b2, %r1, %p : f64, {BANK}, {STATE}, {PAIR}
}}
func.func private @mean(%bank: {BANK}) -> f64 {{
  %z = arith.constant dense<0.0> : tensor<f64>
  %t = linalg.generic {{indexing_maps = [{LINE}, {POINT}], iterator_types = ["reduction"]}}
      ins(%bank : {BANK}) outs(%z : tensor<f64>) {{
  ^bb0(%a: f64, %o: f64):
    %m = arith.addf %o, %a : f64
    linalg.yield %m : f64
  }} -> tensor<f64>
  %s = tensor.extract %t[] : tensor<f64>
  %n = arith.constant 12.0 : f64
  %r = arith.divf %s, %n : f64
  func.return %r : f64
}}
func.func private @count_up(%table: {SMALL} {{cog.updates = 0 : i64}}, %from: f64, %bank: {BANK}) -> {SMALL} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 4 : index
  %filled = scf.for %i = %zero to %end step %one iter_args(%t = %table) -> ({SMALL}) {{
    %old = tensor.extract %bank[%i] : {BANK}
    %v = arith.addf %from, %old : f64
    %t1 = tensor.insert %v into %t[%i] : {SMALL}
    scf.yield %t1 : {SMALL}
  }}
  func.return %filled : {SMALL}
}}
func.func private @rows(%m: {MATRIX}) -> ({SMALL}, f64, {PAIR}) {{
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %row = tensor.extract_slice %m[1, 0] [1, 4] [1, 1] : {MATRIX} to {SMALL}
  %corner = tensor.extract %m[%two, %zero] : {MATRIX}
  %part = tensor.extract_slice %m[2, 1] [1, 2] [1, 1] : {MATRIX} to {PAIR}
  func.return %row, %corner, %part : {SMALL}, f64, {PAIR}
}}
"""


@dataclass
class Scope:
    """The values that can be used at a place, by type, oldest first."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def fork(self) -> Scope:
        return Scope({type: list(names) for type, names in self.values.items()})

    def add(self, type: str, name: str) -> str:
        self.values.setdefault(type, []).append(name)
        return name


class Program:
    """Builds the text of `@main` statement by statement."""

    def __init__(self, random: Random, size: int, draws: bool = True):
        self.random, self.budget, self.count, self.lines, self.depth = random, size, 0, [], 1
        self.draws = draws
        scope = Scope()
        self.signature = [
            (BANK, "pf", ""),
            (BANK, "sf", "{cog.updates = 0 : i64}"),
            (WORDS, "si", "{cog.updates = 1 : i64}"),
            (SMALL, "x", ""),
            (F64, "k", ""),
        ]
        self.results = [BANK, WORDS]
        if draws:
            self.signature.append((STATE, "r", ""))
            self.results.append(STATE)
        self.results += [F64, random.choice(FLOAT_TENSORS), PAIR]
        for type, name, _ in self.signature:
            scope.add(type, f"%{name}")
        for position in range(12):
            self.emit(f"%i{position} = arith.constant {position} : index")
        scope.values[INDEX] = [f"%i{position}" for position in range(2)]
        self.emit("%one = arith.constant 1 : i64")
        scope.add(I64, "%one")
        self.emit(f"%d0 = arith.constant dense<[1.0, -2.0, 3.0, 0.5]> : {SMALL}")
        scope.add(SMALL, "%d0")
        self.emit(f"%d1 = arith.constant dense<0.25> : {MATRIX}")
        scope.add(MATRIX, "%d1")
        self.emit(f"%d2 = tensor.from_elements %k, %k : {PAIR}")
        scope.add(PAIR, "%d2")
        self.block(scope, size)
        values = [self.pick(scope, type) for type in self.results]
        self.emit(f"func.return {', '.join(values)} : {', '.join(self.results)}")

    @property
    def text(self) -> str:
        arguments = ", ".join(f"%{name}: {type} {attributes}" for type, name, attributes in self.signature)
        body = "\n".join(self.lines)
        helpers = (
            HELPERS
            if self.draws
            else HELPERS.replace(f", %r: {STATE}", "")
            .replace(f", {STATE}", "")
            .replace(", %r1", "")
            .replace(f"  %n, %r1 = rng.normal %r : {STATE} -> f64\n", "")
            .replace(f"  %n = rng.normal %r : {STATE} -> f64\n", "  %n = arith.constant 0.5 : f64\n")
        )
        return f"{helpers}\nfunc.func @main({arguments}) -> ({', '.join(self.results)}) {{\n{body}\n}}\n"

    def emit(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pick(self, scope: Scope, type: str) -> str:
        """A value in scope, the newest more often than others."""
        names = scope.values[type]
        return names[-1] if self.random.random() < 0.5 else self.random.choice(names)

    def index(self, scope: Scope, limit: int) -> str:
        """An index below `limit`: a constant, or one known to be small."""
        return f"%i{self.random.randrange(limit)}" if self.random.random() < 0.7 else self.pick(scope, INDEX)

    def block(self, scope: Scope, statements: int) -> None:
        choices = [
            self.extract,
            self.extract,
            self.insert,
            self.insert,
            self.arith,
            self.slice,
            self.put_slice,
            self.put_slice,
            self.reshape,
            self.elementwise,
            self.elementwise,
            self.product,
            self.commit,
            self.commit,
            self.row,
            self.one_element,
            self.fill,
            self.words,
            self.select,
            self.concat,
            self.branch,
            self.loop,
            self.residual_loop,
            self.switch,
            self.call_scale,
            self.call_step,
            self.call_mean,
            self.table,
            self.table,
            self.assemble,
        ] + [self.draw] * (2 * self.draws)
        for _ in range(statements):
            if self.budget <= 0:
                return
            self.budget -= 1
            self.random.choice(choices)(scope)

    # Statements.

    def extract(self, scope: Scope) -> None:
        type = self.random.choice(FLOAT_TENSORS)
        indices = ", ".join(self.index(scope, extent) for extent in SIZES[type])
        self.emit(f"{(new := self.name())} = tensor.extract {self.pick(scope, type)}[{indices}] : {type}")
        scope.add(F64, new)

    def insert(self, scope: Scope) -> None:
        type = self.random.choice(FLOAT_TENSORS)
        indices = ", ".join(self.index(scope, extent) for extent in SIZES[type])
        new = self.name()
        self.emit(f"{new} = tensor.insert {self.pick(scope, F64)} into {self.pick(scope, type)}[{indices}] : {type}")
        scope.add(type, new)

    def arith(self, scope: Scope) -> None:
        op = self.random.choice(("addf", "subf", "mulf", "minimumf"))
        self.emit(f"{(new := self.name())} = arith.{op} {self.pick(scope, F64)}, {self.pick(scope, F64)} : f64")
        scope.add(F64, new)

    def slice(self, scope: Scope) -> None:
        source, target = self.random.choice(((BANK, SMALL), (BANK, PAIR), (SMALL, PAIR)))
        size = SIZES[target][0]
        step = self.random.choice((1, 1, 2)) if source == BANK else 1
        offset: int | str = self.random.randrange(SIZES[source][0] - (size - 1) * step)
        if self.random.random() < 0.25:
            offset = self.pick(scope, INDEX)
        new = self.name()
        self.emit(f"{new} = tensor.extract_slice {self.pick(scope, source)}[{offset}] [{size}] [{step}] : {source} to {target}")
        scope.add(target, new)

    def put_slice(self, scope: Scope) -> None:
        target, source = self.random.choice(((BANK, SMALL), (BANK, PAIR), (SMALL, PAIR)))
        size = SIZES[source][0]
        offset: int | str = self.random.randrange(SIZES[target][0] - size + 1)
        if self.random.random() < 0.25:
            offset = self.pick(scope, INDEX)
        new = self.name()
        self.emit(
            f"{new} = tensor.insert_slice {self.pick(scope, source)} into {self.pick(scope, target)}"
            f"[{offset}] [{size}] [1] : {source} into {target}"
        )
        scope.add(target, new)

    def commit(self, scope: Scope) -> None:
        """Values made from scratch, which are then put into a bank one after the other, as a time step does with its nodes."""
        kind = self.random.choice((SMALL, PAIR))
        size = SIZES[kind][0]
        bank, source = self.pick(scope, BANK), self.pick(scope, BANK)
        made: list[str] = []
        for _ in range(self.random.randrange(1, 4)):
            old, empty, new = self.name(), self.name(), self.name()
            offset = self.random.randrange(12 - size + 1)
            self.emit(f"{old} = tensor.extract_slice {source}[{offset}] [{size}] [1] : {BANK} to {kind}")
            first = LINE if self.random.random() < 0.5 else f"affine_map<(d0) -> ({size - 1} - d0)>"
            self.emit(f"{empty} = tensor.empty() : {kind}")
            self.emit(
                f'{new} = linalg.generic {{indexing_maps = [{first}, {LINE}], iterator_types = ["parallel"]}} '
                f"ins({old} : {kind}) outs({empty} : {kind}) {{"
            )
            self.emit("^bb0(%a: f64, %o: f64):")
            self.emit("  %s = arith.addf %a, %a : f64")
            self.emit("  linalg.yield %s : f64")
            self.emit(f"}} -> {kind}")
            made.append(new)
        if self.random.random() < 0.3:
            scope.add(kind, made[0])
        for value in made:
            new = self.name()
            offset = self.random.randrange(12 - size + 1)
            self.emit(f"{new} = tensor.insert_slice {value} into {bank}[{offset}] [{size}] [1] : {kind} into {BANK}")
            bank = new
            if self.random.random() < 0.2:
                scope.add(BANK, bank)
        scope.add(BANK, bank)

    def row(self, scope: Scope) -> None:
        new, position = self.name(), self.random.choice(("0", "1", "2", self.pick(scope, INDEX)))
        if self.random.random() < 0.5:
            self.emit(f"{new} = tensor.extract_slice {self.pick(scope, MATRIX)}[{position}, 0] [1, 4] [1, 1] : {MATRIX} to {SMALL}")
            scope.add(SMALL, new)
        elif self.random.random() < 0.5:
            self.emit(
                f"{new} = tensor.insert_slice {self.pick(scope, SMALL)} into {self.pick(scope, MATRIX)}"
                f"[{position}, 0] [1, 4] [1, 1] : {SMALL} into {MATRIX}"
            )
            scope.add(MATRIX, new)
        else:  # Two elements of a column: not side by side.
            self.emit(f"{new} = tensor.extract_slice {self.pick(scope, MATRIX)}[1, 2] [2, 1] [1, 1] : {MATRIX} to {PAIR}")
            scope.add(PAIR, new)

    def slice_of_one(self, scope: Scope, type: str, array: str) -> str:
        """An array of one element of another one; of a matrix with or without its outer axis. Its number, too, comes into scope."""
        one, element = self.name(), self.name()
        places = [str(self.random.randrange(extent)) for extent in SIZES[type]]
        if self.random.random() < 0.25:
            places[0] = self.pick(scope, INDEX)
        ones = ", ".join("1" * len(places))
        shape = "tensor<1x1xf64>" if type == MATRIX and self.random.random() < 0.3 else ONE
        self.emit(f"{one} = tensor.extract_slice {array}[{', '.join(places)}] [{ones}] [{ones}] : {type} to {shape}")
        if shape != ONE:
            one, outer = self.name(), one
            self.emit(f"{one} = tensor.extract_slice {outer}[0, 0] [1, 1] [1, 1] : {shape} to {ONE}")
        self.emit(f"{element} = tensor.extract {one}[%i0] : {ONE}")
        scope.add(F64, element)
        return one

    def one_element(self, scope: Scope) -> None:
        """An array of one element is taken from somewhere and put somewhere else."""
        source, target, new = self.random.choice(FLOAT_TENSORS), self.random.choice(FLOAT_TENSORS), self.name()
        one = self.slice_of_one(scope, source, self.pick(scope, source))
        places = ", ".join(str(self.random.randrange(extent)) for extent in SIZES[target])
        ones = ", ".join("1" * len(SIZES[target]))
        self.emit(f"{new} = tensor.insert_slice {one} into {self.pick(scope, target)}[{places}] [{ones}] [{ones}] : {ONE} into {target}")
        scope.add(target, new)

    def pieces(self, scope: Scope) -> str:
        """An array of four elements that is put together, here, from a pair, an array of one, and a number."""
        one = self.slice_of_one(scope, SMALL, self.pick(scope, SMALL))
        empty, first, second, third = (self.name() for _ in range(4))
        self.emit(f"{empty} = tensor.empty() : {SMALL}")
        self.emit(f"{first} = tensor.insert_slice {one} into {empty}[0] [1] [1] : {ONE} into {SMALL}")
        self.emit(f"{second} = tensor.insert_slice {self.pick(scope, PAIR)} into {first}[1] [2] [1] : {PAIR} into {SMALL}")
        self.emit(f"{third} = tensor.insert {self.pick(scope, F64)} into {second}[%i3] : {SMALL}")
        return third

    def reshape(self, scope: Scope) -> None:
        new = self.name()
        if self.random.random() < 0.5:
            self.emit(f"{new} = tensor.expand_shape {self.pick(scope, BANK)} [[0, 1]] output_shape [3, 4] : {BANK} into {MATRIX}")
            scope.add(MATRIX, new)
        else:
            self.emit(f"{new} = tensor.collapse_shape {self.pick(scope, MATRIX)} [[0 : i64, 1 : i64]] : {MATRIX} into {BANK}")
            scope.add(BANK, new)

    def elementwise(self, scope: Scope) -> None:
        type = self.random.choice(FLOAT_TENSORS)
        dims = ", ".join(f"d{axis}" for axis in range(len(SIZES[type])))
        source = f"affine_map<({dims}) -> ({dims})>"
        reverse = type in (BANK, SMALL) and self.random.random() < 0.3
        first = f"affine_map<(d0) -> ({SIZES[type][0] - 1} - d0)>" if reverse else source
        kinds = ", ".join(['"parallel"'] * len(SIZES[type]))
        in_place = self.random.random() < 0.6
        output = self.pick(scope, type)
        if not in_place:
            output = self.name()
            self.emit(f"{output} = tensor.empty() : {type}")
        a, b = self.pick(scope, type), self.pick(scope, type)
        if in_place and self.random.random() < 0.4:
            b = output
        new, combined = self.name(), "%o" if in_place and self.random.random() < 0.5 else "%b"
        self.emit(
            f"{new} = linalg.generic {{indexing_maps = [{first}, {source}, {source}], iterator_types = [{kinds}]}} "
            f"ins({a}, {b} : {type}, {type}) outs({output} : {type}) {{"
        )
        self.emit("^bb0(%a: f64, %b: f64, %o: f64):")
        self.emit(f"  %s = arith.subf %a, {combined} : f64")
        self.emit("  linalg.yield %s : f64")
        self.emit(f"}} -> {type}")
        scope.add(type, new)

    def product(self, scope: Scope) -> None:
        new = self.name()
        out = self.pick(scope, SMALL)
        self.emit(
            f"{new} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], "
            f'iterator_types = ["parallel", "reduction"]}} ins({self.pick(scope, MATRIX)} : {MATRIX}) outs({out} : {SMALL}) {{'
        )
        self.emit("^bb0(%a: f64, %o: f64):")
        self.emit("  %s = arith.addf %o, %a : f64")
        self.emit("  linalg.yield %s : f64")
        self.emit(f"}} -> {SMALL}")
        scope.add(SMALL, new)

    def fill(self, scope: Scope) -> None:
        type, new = self.random.choice(FLOAT_TENSORS), self.name()
        if self.random.random() < 0.5:
            self.emit(f"{new} = tensor.splat {self.pick(scope, F64)} : {type}")
        else:
            self.emit(f"{new} = linalg.fill ins({self.pick(scope, F64)} : f64) outs({self.pick(scope, type)} : {type}) -> {type}")
        scope.add(type, new)

    def words(self, scope: Scope) -> None:
        read, new, written = self.name(), self.name(), self.name()
        self.emit(f"{read} = tensor.extract {self.pick(scope, WORDS)}[{self.index(scope, 5)}] : {WORDS}")
        self.emit(f"{new} = arith.addi {read}, {self.pick(scope, I64)} : i64")
        self.emit(f"{written} = tensor.insert {new} into {self.pick(scope, WORDS)}[{self.index(scope, 5)}] : {WORDS}")
        scope.add(I64, new)
        scope.add(WORDS, written)

    def condition(self, scope: Scope) -> str:
        new = self.name()
        self.emit(f"{new} = arith.cmpf olt, {self.pick(scope, F64)}, {self.pick(scope, F64)} : f64")
        return new

    def select(self, scope: Scope) -> None:
        type, new = self.random.choice((*FLOAT_TENSORS, WORDS, *([STATE] * self.draws))), self.name()
        condition = self.condition(scope)
        self.emit(f"{new} = arith.select {condition}, {self.pick(scope, type)}, {self.pick(scope, type)} : {type}")
        scope.add(type, new)

    def concat(self, scope: Scope) -> None:
        new = self.name()
        self.emit(f"{new} = tensor.concat dim(0) {self.pick(scope, PAIR)}, {self.pick(scope, PAIR)} : ({PAIR}, {PAIR}) -> {SMALL}")
        scope.add(SMALL, new)

    def draw(self, scope: Scope) -> None:
        value, state = self.name(), self.name()
        match self.random.randrange(6):
            case 4:
                self.emit(
                    f'{value}, {state} = rng.sample "gamma" {self.pick(scope, STATE)}({self.pick(scope, F64)}) : {STATE}, (f64) -> f64'
                )
                scope.add(F64, value)
            case 5:
                self.emit(f'{value}, {state} = rng.sample "exponential" {self.pick(scope, STATE)}() : {STATE}, () -> {PAIR}')
                scope.add(PAIR, value)
            case 0:
                self.emit(f"{value}, {state} = rng.normal {self.pick(scope, STATE)} : {STATE} -> f64")
                scope.add(F64, value)
            case 1:
                self.emit(f"{value}, {state} = rng.uniform {self.pick(scope, STATE)} : {STATE} -> {PAIR}")
                scope.add(PAIR, value)
            case 2:
                bound = self.name()
                self.emit(f"{bound} = arith.constant 7 : i64")
                self.emit(f"{value}, {state} = rng.integer {self.pick(scope, STATE)} below {bound} : {STATE} -> i64")
                scope.add(I64, value)
            case _:
                key = [self.pick(scope, I64) for _ in range(self.random.choice((1, 3)))]
                self.emit(f"{state} = rng.seed {', '.join(key)} : {', '.join('i64' for _ in key)} -> {STATE}")
        scope.add(STATE, state)

    def call_scale(self, scope: Scope) -> None:
        new = self.name()
        self.emit(f"{new}:2 = func.call @scale({self.pick(scope, SMALL)}, {self.pick(scope, F64)}) : ({SMALL}, f64) -> ({SMALL}, f64)")
        scope.add(SMALL, f"{new}#0")
        scope.add(F64, f"{new}#1")

    def call_step(self, scope: Scope) -> None:
        new = self.name()
        operands, types = [self.pick(scope, BANK), self.pick(scope, SMALL)], [BANK, SMALL]
        results = [F64, BANK, PAIR]
        if self.draws:
            operands.append(self.pick(scope, STATE))
            types.append(STATE)
            results.insert(2, STATE)
        self.emit(f"{new}:{len(results)} = func.call @step({', '.join(operands)}) : ({', '.join(types)}) -> ({', '.join(results)})")
        for number, type in enumerate(results):
            scope.add(type, f"{new}#{number}")

    def call_mean(self, scope: Scope) -> None:
        self.emit(f"{(new := self.name())} = func.call @mean({self.pick(scope, BANK)}) : ({BANK}) -> f64")
        scope.add(F64, new)

    def table(self, scope: Scope) -> None:
        """A table that a loop or a function fills, number by number, and that then becomes part of a bank."""
        bank, read, new, filled = self.pick(scope, BANK), self.pick(scope, BANK), self.name(), self.name()
        self.emit(f"{new} = tensor.empty() : {SMALL}")
        if self.random.random() < 0.4:
            number = self.pick(scope, F64)
            self.emit(f"{filled} = func.call @count_up({new}, {number}, {read}) : ({SMALL}, f64, {BANK}) -> {SMALL}")
        else:
            turn, held, old, value, after = (self.name() for _ in range(5))
            self.emit(f"{filled} = scf.for {turn} = %i0 to %i4 step %i1 iter_args({held} = {new}) -> ({SMALL}) {{")
            self.emit(f"  {old} = tensor.extract {read}[{self.random.choice((turn, f'%i{self.random.randrange(12)}'))}] : {BANK}")
            self.emit(f"  {value} = arith.addf {old}, {self.pick(scope, F64)} : f64")
            self.emit(f"  {after} = tensor.insert {value} into {held}[{turn}] : {SMALL}")
            self.emit(f"  scf.yield {after} : {SMALL}")
            self.emit("}")
        if self.random.random() < 0.3:
            scope.add(SMALL, filled)
        if self.random.random() < 0.5:
            self.insert(scope)
            bank = self.pick(scope, BANK)
        put = self.name()
        self.emit(f"{put} = tensor.insert_slice {filled} into {bank}[{self.random.randrange(9)}] [4] [1] : {SMALL} into {BANK}")
        scope.add(BANK, put)

    def assemble(self, scope: Scope) -> None:
        """A matrix that is put together row by row, perhaps with something written over it, and taken apart by a function or here."""
        held = self.name()
        self.emit(f"{held} = tensor.empty() : {MATRIX}")
        rows = self.random.sample(range(3), 3) + [self.random.randrange(3)] * (self.random.random() < 0.3)
        for row in rows:
            new = self.name()
            part = self.pieces(scope) if self.random.random() < 0.3 else self.pick(scope, SMALL)
            self.emit(f"{new} = tensor.insert_slice {part} into {held}[{row}, 0] [1, 4] [1, 1] : {SMALL} into {MATRIX}")
            held = new
        if self.random.random() < 0.4:
            new, row, column = self.name(), self.index(scope, 3), self.index(scope, 4)
            self.emit(f"{new} = tensor.insert {self.pick(scope, F64)} into {held}[{row}, {column}] : {MATRIX}")
            held = new
        if self.random.random() < 0.5:
            scope.add(MATRIX, held)
        if self.random.random() < 0.3:
            self.slice_of_one(scope, MATRIX, held)
        if self.random.random() < 0.5:
            new = self.name()
            self.emit(f"{new}:3 = func.call @rows({held}) : ({MATRIX}) -> ({SMALL}, f64, {PAIR})")
            for number, type in enumerate((SMALL, F64, PAIR)):
                scope.add(type, f"{new}#{number}")
        else:
            row, element = self.name(), self.name()
            self.emit(f"{row} = tensor.extract_slice {held}[{self.random.randrange(3)}, 0] [1, 4] [1, 1] : {MATRIX} to {SMALL}")
            self.emit(f"{element} = tensor.extract {held}[{self.index(scope, 3)}, {self.index(scope, 4)}] : {MATRIX}")
            scope.add(SMALL, row)
            scope.add(F64, element)

    # Control flow.

    def carried_types(self) -> list[str]:
        pool = [BANK, BANK, SMALL, MATRIX, PAIR, WORDS, F64, *([STATE, STATE] * self.draws)]
        return [self.random.choice(pool) for _ in range(self.random.randrange(1, 4))]

    def nested(self, scope: Scope, terminator: str, types: list[str], extra: list[str]) -> None:
        """A block of statements with its terminator, which takes `extra` and values of `types`."""
        self.depth += 1
        self.block(scope, self.random.randrange(1, 6))
        values = [*extra, *(self.pick(scope, type) for type in types)]
        kinds = ["i1"] * len(extra) if terminator != "scf.condition" else []
        if terminator == "scf.condition":
            rest = values[1:]
            self.emit(f"scf.condition({values[0]}) {', '.join(rest)} : {', '.join(types)}")
        else:
            self.emit(f"{terminator} {', '.join(values)} : {', '.join([*kinds, *types])}")
        self.depth -= 1

    def bind(self, scope: Scope, types: list[str]) -> str:
        new = self.name()
        for number, type in enumerate(types):
            scope.add(type, f"{new}#{number}" if len(types) > 1 else new)
        return f"{new}:{len(types)}" if len(types) > 1 else new

    def branch(self, scope: Scope) -> None:
        types, condition = self.carried_types(), self.condition(scope)
        inner, other = scope.fork(), scope.fork()
        results = self.bind(scope, types)
        self.emit(f"{results} = scf.if {condition} -> ({', '.join(types)}) {{")
        self.nested(inner, "scf.yield", types, [])
        self.emit("} else {")
        self.nested(other, "scf.yield", types, [])
        self.emit("}")

    def switch(self, scope: Scope) -> None:
        types, chosen = self.carried_types(), self.pick(scope, INDEX)
        forks = [scope.fork(), scope.fork()]
        results = self.bind(scope, types)
        self.emit(f"{results} = scf.index_switch {chosen} -> {', '.join(types)}")
        self.emit("case 1 {")
        self.nested(forks[0], "scf.yield", types, [])
        self.emit("}")
        self.emit("default {")
        self.nested(forks[1], "scf.yield", types, [])
        self.emit("}")

    def loop(self, scope: Scope) -> None:
        types = self.carried_types()
        initial = [self.pick(scope, type) for type in types]
        inner = scope.fork()
        names = [inner.add(type, self.name()) for type in types]
        turn = inner.add(INDEX, self.name())
        results = self.bind(scope, types)
        carried = ", ".join(f"{name} = {value}" for name, value in zip(names, initial, strict=True))
        end = self.random.randrange(4)
        upper = self.random.choice(("%i2", "%i1", f"%i{min(end, 2)}"))
        self.emit(f"{results} = scf.for {turn} = %i0 to {upper} step %i1 iter_args({carried}) -> ({', '.join(types)}) {{")
        self.nested(inner, "scf.yield", types, [])
        self.emit("}")

    def residual_loop(self, scope: Scope) -> None:
        """A while loop that ends after at most three turns, or earlier if its condition says so."""
        carried, forwarded = self.carried_types(), self.carried_types()
        initial = [self.pick(scope, type) for type in carried]
        before, after = scope.fork(), scope.fork()
        names = [before.add(type, self.name()) for type in carried]
        count, next_count, passed = self.name(), self.name(), self.name()
        results = self.name()
        assignments = ", ".join(f"{name} = {value}" for name, value in zip([count, *names], ["%one", *initial], strict=True))
        self.emit(
            f"{results}:{1 + len(forwarded)} = scf.while ({assignments}) : ({', '.join([I64, *carried])}) -> "
            f"({', '.join([I64, *forwarded])}) {{"
        )
        self.depth += 1
        self.block(before, self.random.randrange(1, 4))
        limit, few, wanted, go_on = (self.name() for _ in range(4))
        self.emit(f"{limit} = arith.constant 4 : i64")
        self.emit(f"{few} = arith.cmpi slt, {count}, {limit} : i64")
        self.emit(f"{wanted} = arith.cmpf ult, {self.pick(before, F64)}, {self.pick(before, F64)} : f64")
        self.emit(f"{go_on} = arith.andi {few}, {wanted} : i1")
        values = [self.pick(before, type) for type in forwarded]
        self.emit(f"scf.condition({go_on}) {', '.join([count, *values])} : {', '.join([I64, *forwarded])}")
        self.depth -= 1
        self.emit("} do {")
        arguments = [after.add(type, self.name()) for type in forwarded]
        self.emit(f"^bb0({', '.join(f'{name}: {type}' for name, type in zip([passed, *arguments], [I64, *forwarded], strict=True))}):")
        self.depth += 1
        self.block(after, self.random.randrange(1, 4))
        self.emit(f"{next_count} = arith.addi {passed}, %one : i64")
        values = [self.pick(after, type) for type in carried]
        self.emit(f"scf.yield {', '.join([next_count, *values])} : {', '.join([I64, *carried])}")
        self.depth -= 1
        self.emit("}")
        for number, type in enumerate(forwarded):
            scope.add(type, f"{results}#{number + 1}")


def random_program(random: Random, size: int, draws: bool = True) -> str:
    """The text of a module with the function `@main` and the helpers it calls."""
    return Program(random, size, draws).text
