"""
Controllers: `cog.grid_search` simulates a model for every combination of its signals' levels, and keeps the best.

The rules (order of points, costs, net outcome, ties, estimates and their seeds) are PsyNeuLink's GridSearch in an
OptimizationControlMechanism.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import (
    Direction,
    DirectionAttr,
    Keeps,
    KeepsAttr,
    Seeds,
    SeedsAttr,
    Ties,
    TiesAttr,
    When,
    WhenAttr,
    dense,
    float64,
    int64,
    optional_int64,
    optional_ref,
    optional_string,
    ref,
    string,
)
from cogir.dialects.cog.estimates import EstimatesOp
from cogir.dialects.cog.features import FeatureOp
from cogir.dialects.cog.lookup import enclosing_model, find_model, is_model, symbols_of
from cogir.dialects.cog.ports import (
    ModelNames,
    PlacedVerifyException,
    PortOwner,
    SymbolUser,
    resolve_port,
    show,
    speaking,
    suggestion,
    unique_symbols,
)
from cogir.dialects.cog.project import is_number
from cogir.dialects.cog.syntax import (
    attach,
    const_text,
    float_text,
    parse_body,
    parse_number,
    parse_port,
    parse_ref,
    print_name,
    print_port,
    ref_list,
)
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import check_name
from cogir.dialects.rng import StreamOp
from cogir.irutils import array_of_dense

__all__ = ["GridSearchOp", "SignalOp"]

Symbol = str | StringAttr | SymbolRefAttr


@irdl_op_definition
class SignalOp(IRDLOperation):
    """
    A signal of a controller: one axis of the grid, and an output port of the controller (f64). Costs are functions
    f64 -> f64 of the module: of the level (intensity), of its absolute difference from the signal in force (adjustment),
    or summed over the levels that searches chose (duration). Or one function (f64, f64, f64) -> (f64, f64) gives the
    total cost: of the level, the signal in force and a sum that starts `from` a number (default 0), the cost and the sum
    after the level has been chosen. `clip` keeps the sum of the costs of a signal from going below 0.

    ```mlir
    cog.signal @gain levels [0.0, 5.0, 10.0] initial 1.0 cost intensity @exponential clip
    ```
    """

    name = "cog.signal"

    sym_name = prop_def(SymbolNameConstraint())
    levels = prop_def(DenseIntOrFPElementsAttr)
    initial = prop_def(FloatAttr.constr(f64))
    intensity_cost = opt_prop_def(FlatSymbolRefAttrConstr)
    adjustment_cost = opt_prop_def(FlatSymbolRefAttrConstr)
    duration_cost = opt_prop_def(FlatSymbolRefAttrConstr)
    total_cost = opt_prop_def(FlatSymbolRefAttrConstr)
    sum_from = opt_prop_def(FloatAttr.constr(f64))
    clip = opt_prop_def(UnitAttr)

    traits = traits_def(Inside("cog.grid_search"), SymbolOpInterface())

    COSTS: ClassVar[tuple[str, ...]] = ("intensity", "adjustment", "duration", "total")

    def __init__(
        self,
        name: str | StringAttr,
        levels: Sequence[float] | DenseIntOrFPElementsAttr[Any],
        *,
        initial: float | FloatAttr[Any] = 1.0,
        intensity_cost: Symbol | None = None,
        adjustment_cost: Symbol | None = None,
        duration_cost: Symbol | None = None,
        total_cost: Symbol | None = None,
        sum_from: float | FloatAttr[Any] | None = None,
        clip: bool = False,
    ):
        if not isinstance(levels, DenseIntOrFPElementsAttr):
            levels = dense(levels, TensorType(f64, [len(levels)]))
        super().__init__(
            properties={
                "sym_name": string(name),
                "levels": levels,
                "initial": float64(initial),
                "intensity_cost": optional_ref(intensity_cost),
                "adjustment_cost": optional_ref(adjustment_cost),
                "duration_cost": optional_ref(duration_cost),
                "total_cost": optional_ref(total_cost),
                "sum_from": None if sum_from is None else float64(sum_from),
                "clip": UnitAttr() if clip else None,
            }
        )

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        levels = ", ".join(float_text(level, f64) for level in self.level_values)
        printer.print_string(f" levels [{levels}] initial {const_text(self.initial)}")
        for kind, function in self.costs.items():
            printer.print_string(f" cost {kind} ")
            printer.print_symbol_name(function.root_reference.data)
        if self.sum_from is not None:
            printer.print_string(f" from {const_text(self.sum_from)}")
        printer.print_string(" clip" if self.clip is not None else "")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> SignalOp:
        name = parser.parse_symbol_name()
        parser.parse_keyword("levels", " (as in levels [0.0, 1.0])")
        levels = ref_list(parser, lambda: parse_number(parser, f64))
        initial = parse_number(parser, f64) if parser.parse_optional_keyword("initial") else 1.0
        costs: dict[str, SymbolRefAttr] = {}
        while parser.parse_optional_keyword("cost"):
            start = parser.pos
            kind = parser.parse_keyword_in(cls.COSTS, " for the kind of cost")
            if kind in costs:
                parser.raise_error(f"the {kind} cost is given twice", start, parser.pos)
            costs[kind] = parse_ref(parser)
        sum_from = parse_number(parser, f64) if parser.parse_optional_keyword("from") else None
        clip = parser.parse_optional_keyword("clip") is not None
        op = cls(
            name,
            levels,
            initial=initial,
            intensity_cost=costs.get("intensity"),
            adjustment_cost=costs.get("adjustment"),
            duration_cost=costs.get("duration"),
            total_cost=costs.get("total"),
            sum_from=sum_from,
            clip=clip,
        )
        return attach(op, parser.parse_optional_attr_dict_with_keyword())

    def verify_(self) -> None:
        who = f"signal {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        if self.levels.get_element_type() != f64 or len(self.levels.get_shape()) != 1:
            raise VerifyException(f"{who}: its levels are {self.levels.type}; give a list of f64")
        if self.levels.get_shape()[0] < 1:
            raise VerifyException(f"{who} has no levels; give at least one")
        if self.clip is not None and not self.costs:
            raise VerifyException(f"{who}: clip applies only to costs; leave it out, or add a cost")
        if self.total_cost is not None and len(self.costs) > 1:
            raise VerifyException(f"{who}: a total cost replaces all other costs; leave the other costs out")
        if self.sum_from is not None and self.total_cost is None:
            raise VerifyException(f"{who}: a start of the sum is given, but only a total cost has one; leave it out")

    def verify_costs(self, scope: ModelNames) -> None:
        """The costs are functions of the module that take and give what they must."""
        for kind, function in self.costs.items():
            found = scope.outside.get(function.root_reference.data)
            who = f"signal {show(self.sym_name)}: the {kind} cost {show(function)}"
            if not isinstance(found, func.FuncOp):
                hint = suggestion(function.root_reference.data, scope.known(func.FuncOp), show)
                raise PlacedVerifyException(self, f"{who} is not a function of the module{hint}")
            takes, gives = ((f64,) * 3, (f64,) * 2) if kind == "total" else ((f64,), (f64,))
            if found.function_type.inputs.data != takes or found.function_type.outputs.data != gives:
                wanted = "a total cost must be (f64, f64, f64) -> (f64, f64)" if kind == "total" else "a cost must be (f64) -> f64"
                raise PlacedVerifyException(self, f"{who} has type {found.function_type}; {wanted}")

    @property
    def level_values(self) -> tuple[float, ...]:
        """The levels as numbers."""
        return tuple(float(level) for level in array_of_dense(self.levels))

    @property
    def sums(self) -> bool:
        """True if the cost has a sum that continues from search to search."""
        return self.duration_cost is not None or self.total_cost is not None

    @property
    def costs(self) -> dict[str, SymbolRefAttr]:
        """The cost functions by kind ("intensity", "adjustment", "duration", "total")."""
        held = (self.intensity_cost, self.adjustment_cost, self.duration_cost, self.total_cost)
        return {kind: function for kind, function in zip(self.COSTS, held, strict=True) if function is not None}


@irdl_op_definition
class GridSearchOp(IRDLOperation, PortOwner, SymbolUser):
    """
    A controller that simulates a model for each point of a grid (row-major, the first signal slowest) from the state
    frozen before the search, and sets its signals to the point with the best net outcome: the objective after the
    simulated trials minus the sum of the costs.

    ```mlir
    cog.grid_search @control of @predator_prey after minimize @objective["value"] ties random @tie_stream {
      cog.signal @player levels [0.0, 5.0, 10.0] initial 1.0 cost intensity @exponential
    }
    ```
    """

    name = "cog.grid_search"

    sym_name = prop_def(SymbolNameConstraint())
    model = opt_prop_def(FlatSymbolRefAttrConstr)
    when = prop_def(WhenAttr)
    direction = prop_def(DirectionAttr)
    objective = prop_def(FlatSymbolRefAttrConstr)
    objective_port = opt_prop_def(StringAttr)
    ties = prop_def(TiesAttr)
    tie_stream = opt_prop_def(FlatSymbolRefAttrConstr)
    trials_per_estimate = prop_def(IntegerAttr.constr(i64))
    estimates = prop_def(IntegerAttr.constr(i64))
    seeds = prop_def(SeedsAttr)
    seed_base = opt_prop_def(IntegerAttr.constr(i64))
    keeps = opt_prop_def(KeepsAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside("cog.model"), SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        *,
        objective: Symbol,
        objective_port: str | StringAttr | None = None,
        model: Symbol | None = None,
        when: str | When = When.AFTER,
        direction: str | Direction = Direction.MAXIMIZE,
        ties: str | Ties = Ties.FIRST,
        tie_stream: Symbol | None = None,
        trials_per_estimate: int | IntegerAttr[Any] = 1,
        estimates: int | IntegerAttr[Any] = 1,
        seeds: str | Seeds = Seeds.PER_POINT,
        seed_base: int | IntegerAttr[Any] | None = None,
        keeps: str | Keeps | None = None,
        ops: Sequence[Operation] | Region = (),
    ):
        """`model` is what is simulated (default: the enclosing model); `ops` are its signals and features."""
        super().__init__(
            properties={
                "sym_name": string(name),
                "model": optional_ref(model),
                "when": WhenAttr(When(when)),
                "direction": DirectionAttr(Direction(direction)),
                "objective": ref(objective),
                "objective_port": optional_string(objective_port),
                "ties": TiesAttr(Ties(ties)),
                "tie_stream": optional_ref(tie_stream),
                "trials_per_estimate": int64(trials_per_estimate),
                "estimates": int64(estimates),
                "seeds": SeedsAttr(Seeds(seeds)),
                "seed_base": optional_int64(seed_base),
                "keeps": None if keeps is None else KeepsAttr(Keeps(keeps)),
            },
            regions=[ops if isinstance(ops, Region) else Region(Block(ops))],
        )

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        if self.model is not None:
            printer.print_string(" of ")
            printer.print_symbol_name(self.model.root_reference.data)
        printer.print_string(f" {self.when.data.value} {self.direction.data.value} ")
        print_port(printer, self.objective, self.objective_port)
        printer.print_string(f" ties {self.ties.data.value}")
        if self.tie_stream is not None:
            printer.print_string(" ")
            printer.print_symbol_name(self.tie_stream.root_reference.data)
        if self.trials_per_estimate.value.data != 1:
            printer.print_string(f" trials {self.trials_per_estimate.value.data}")
        if self.estimates.value.data != 1:
            printer.print_string(f" estimates {self.estimates.value.data}")
        if self.seeds.data != Seeds.PER_POINT:
            printer.print_string(f" seeds {self.seeds.data.value}")
        if self.seed_base is not None:
            printer.print_string(f" seed_base {self.seed_base.value.data}")
        if self.keeps is not None:
            printer.print_string(f" keep {self.keeps.data.value}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> GridSearchOp:
        def number(keyword: str) -> int | None:
            return parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword(keyword) else None

        name = parser.parse_symbol_name()
        model = parse_ref(parser) if parser.parse_optional_keyword("of") else None
        when = parser.parse_str_enum(When)
        direction = parser.parse_str_enum(Direction)
        objective, objective_port = parse_port(parser)
        ties, tie_stream = Ties.FIRST, None
        if parser.parse_optional_keyword("ties"):
            ties = parser.parse_str_enum(Ties)
            stream = parser.parse_optional_symbol_name()
            tie_stream = None if stream is None else SymbolRefAttr(stream)
        trials, estimates = number("trials"), number("estimates")
        seeds = parser.parse_str_enum(Seeds) if parser.parse_optional_keyword("seeds") else Seeds.PER_POINT
        seed_base = number("seed_base")
        keeps = parser.parse_str_enum(Keeps) if parser.parse_optional_keyword("keep") else None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(
            name,
            objective=objective,
            objective_port=objective_port,
            model=model,
            when=when,
            direction=direction,
            ties=ties,
            tie_stream=tie_stream,
            trials_per_estimate=1 if trials is None else trials,
            estimates=1 if estimates is None else estimates,
            seeds=seeds,
            seed_base=seed_base,
            keeps=keeps,
            ops=parse_body(parser),
        )
        return attach(op, attributes)

    def verify_(self) -> None:
        who = f"controller {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        inputs: set[int] = set()
        names: set[str] = set()
        for op in self.body.block.ops:
            if isinstance(op, SignalOp | EstimatesOp):
                if op.sym_name.data in names:
                    raise PlacedVerifyException(op, f"{who} has two signals called {show(op.sym_name)}; rename one of them")
                names.add(op.sym_name.data)
            elif isinstance(op, FeatureOp):
                if op.index.value.data in inputs:
                    raise PlacedVerifyException(op, f"{who} has two features for input {op.index.value.data}; keep one")
                inputs.add(op.index.value.data)
            else:
                raise PlacedVerifyException(op, f"{who} contains {op.name}; only cog.signal, cog.feature and cog.estimates are allowed")
        if len(names) != len(self.signals) + (self.estimated is not None):
            raise VerifyException(f"{who} has several cog.estimates; keep one, which can act on several parameters")
        if self.estimated is not None and self.estimates.value.data > 1:
            raise VerifyException(f"{who} has a cog.estimates and estimates {self.estimates.value.data}; keep one of them")
        if not self.signals:
            raise VerifyException(f"{who} has no signals, so there is nothing to search; add a cog.signal")
        if self.ties.data == Ties.RANDOM and self.tie_stream is None:
            raise VerifyException(f"{who}: ties random draws from an rng.stream, but none is given; write ties random @stream")
        if self.ties.data == Ties.FIRST and self.tie_stream is not None:
            raise VerifyException(f"{who}: ties first draws no random numbers; leave {show(self.tie_stream)} out, or write random")
        for what, number in (("trials", self.trials_per_estimate), ("estimates", self.estimates)):
            if number.value.data < 1:
                raise VerifyException(f"{who}: {what} is {number.value.data}; it must be at least 1")
        if self.estimates.value.data > 1 and self.seed_base is None:
            raise VerifyException(f"{who}: several estimates need seeds; add seed_base and a number to count from")
        if self.seed_base is not None and self.seed_base.value.data < 0:
            raise VerifyException(f"{who}: seed_base is {self.seed_base.value.data}; it must be at least 0")

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """A controller finds what it simulates, monitors and pays for."""
        with speaking(self, f"controller {show(self.sym_name)}"):
            simulated: Operation | None = scope.model
            inside = scope.symbols
            if self.model is not None:
                simulated = scope.outside.get(self.model.root_reference.data)
                if simulated is None or not is_model(simulated):
                    known = [name for name, held in scope.outside.items() if is_model(held)]
                    hint = suggestion(self.model.root_reference.data, known, show)
                    raise VerifyException(f"there is no model {show(self.model)} to simulate{hint}")
                inside = unique_symbols(simulated.regions[0].block.ops, f"model {show(self.model)}")
            port, type = resolve_port(self, self.objective, self.objective_port, inside, output=True)
            if not is_number(type):
                raise VerifyException(
                    f"the objective {show(self.objective, port)} has type {type}; it must be one number (f64 or tensor<1xf64>)"
                )
            if self.tie_stream is not None and not isinstance(scope.outside.get(self.tie_stream.root_reference.data), StreamOp):
                raise VerifyException(f"ties are broken by {show(self.tie_stream)}, which is not an rng.stream of the module")
        for signal in self.signals:
            signal.verify_costs(scope)
        for feature in self.features.values():
            feature.verify_input(scope, simulated, inside)

    @property
    def signals(self) -> tuple[SignalOp, ...]:
        """The signals, slowest axis of the grid first."""
        return tuple(op for op in self.body.block.ops if isinstance(op, SignalOp))

    @property
    def estimated(self) -> EstimatesOp | None:
        """The port that differs between the simulations of a point, if there is one."""
        return next((op for op in self.body.block.ops if isinstance(op, EstimatesOp)), None)

    @property
    def starts(self) -> dict[str, FloatAttr[Any]]:
        """The values of the output ports before the first search, by name: the signals, then the port of `cog.estimates`."""
        ports = self.signals if self.estimated is None else (*self.signals, self.estimated)
        return {port.sym_name.data: port.initial for port in ports}

    @property
    def features(self) -> dict[int, FeatureOp]:
        """The features, by the index of the simulated model's input."""
        return {op.index.value.data: op for op in self.body.block.ops if isinstance(op, FeatureOp)}

    @property
    def simulated_model(self) -> Operation | None:
        """The model that is simulated: the one named, or the enclosing one."""
        return enclosing_model(self) if self.model is None else find_model(self, self.model)

    @property
    def input_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return ()

    @property
    def output_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return tuple((name, f64) for name in self.starts)

    def resolve_objective_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The port that holds the outcome; `symbols` are those of the simulated model."""
        if symbols is None:
            symbols = symbols_of(self.simulated_model)
        return resolve_port(self, self.objective, self.objective_port, symbols, output=True)[0]
