"""Plants in what specialised code, replicates and learning go through besides."""

from typing import Any

from support.planted.plants import Patch, planted
from xdsl.dialects import arith, math, tensor

from cogir.analysis.layout import Layout
from cogir.analysis.sparsity import Columns
from cogir.lowering.gradient import arrays, differentiate, scalars
from cogir.transforms import fill_lanes, fold_parameters, identities, invariant_bounds, scalarise, unroll_draws

# ----------------------------------------------------------------------------------------------------------- specialisation


@planted(look="specialised")
def the_model_s_own_values_are_folded(patch: Patch) -> None:
    """Not those that the parameters have when it is asked for."""

    def own(module: Any, layout: Layout) -> Any:
        return layout.default_bank("pf"), layout.default_bank("pi")

    patch.setattr(fold_parameters, "values_to_fold", own)


@planted(look="specialised")
def neighbouring_words_are_folded(patch: Patch) -> None:
    number = fold_parameters.Folding.number
    patch.setattr(fold_parameters.Folding, "number", lambda self, op, place: number(self, op, max(place - 1, 0)))


@planted(look="specialised")
def constants_decide_the_wrong_way(patch: Patch) -> None:
    """A choice with a constant condition is the other value."""
    sound = identities.simpler

    def other(op: Any) -> Any:
        found = sound(op)
        return op.operands[1] if isinstance(op, arith.SelectOp) and found is op.operands[2] else found

    patch.setattr("cogir.transforms.fold_constants.simpler", other)


@planted(look="specialised")
def divisors_count_as_neutral(patch: Patch) -> None:
    """1.0 / x  ->  x"""
    sound = identities.simpler

    def loose(op: Any) -> Any:
        return op.rhs if isinstance(op, arith.DivfOp) and identities.is_number(op.lhs, 1.0) else sound(op)

    patch.setattr("cogir.transforms.fold_constants.simpler", loose)


def _everywhere(patch: Patch) -> None:
    """Zeros are left out also where it does not pay."""
    patch.setattr(Columns, "is_worth_it", True)


@planted(look="specialised")
def sparse_rows_are_those_of_the_transposed_matrix(patch: Patch) -> None:
    _everywhere(patch)
    table = Columns.table

    def turned(self: Columns) -> Any:
        rows, weights = table(self)
        return rows[:, ::-1].copy(), weights

    patch.setattr(Columns, "table", turned)
    patch.setattr(Columns, "is_diagonal", False)


# --------------------------------------------------------------------------------------------------------------- replicates


@planted(look="replicates")
def all_steps_are_the_first_one(patch: Patch) -> None:
    """The steps of a small array operation all work on the first element."""
    sound = scalarise.step

    def first(builder: Any, body: Any, position: Any, values: Any) -> Any:
        held = first.held = values if not any(position) else first.held
        return sound(builder, body, position, dict(held))

    patch.setattr(scalarise, "step", first)


@planted(look="replicates")
def numbers_of_a_draw_begin_from_one_state(patch: Patch) -> None:
    """All numbers of a small array are the first one, and the generator is as after one."""

    def unroll(draw: Any) -> None:
        builder = unroll_draws.Builder(unroll_draws.InsertPoint.before(draw))
        type_ = draw.value.type
        one = builder.insert(type(draw)(draw.state, type_.element_type))
        array = tensor.FromElementsOp.create(operands=[one.value] * unroll_draws.size_of(type_), result_types=[type_])
        unroll_draws.replace_by(draw, (builder.insert(array).results[0], one.next_state))

    patch.setattr(unroll_draws, "unroll", unroll)


@planted(look="replicates")
def bounds_pass_what_is_beyond_them(patch: Patch) -> None:
    """Upper bounds are taken for lower ones."""
    sound = invariant_bounds.Bounds.simplify

    def turned(self: Any, op: Any, bound: Any) -> None:
        if isinstance(op, arith.MinimumfOp):
            other = arith.MaximumfOp(op.lhs, op.rhs)
            op.parent.insert_op_before(other, op)
            op.result.replace_all_uses_with(other.result)
            op.parent.erase_op(op)
            op = other
        sound(self, op, bound)

    patch.setattr(invariant_bounds.Bounds, "simplify", turned)


@planted(look="replicates")
def bounds_know_nothing_of_nan_and_zeros(patch: Patch) -> None:
    """The masks of all bounds are those of other numbers."""

    def nothing(self: Any, bound: Any, is_upper: bool) -> Any:
        zero = self.before.insert(arith.ConstantOp(invariant_bounds.IntegerAttr(0, invariant_bounds.i64))).result
        return None, zero

    patch.setattr(invariant_bounds.Bounds, "masks_of", nothing)


@planted(look="replicates")
def the_second_turn_always_counts(patch: Patch) -> None:
    """Also where the first one has finished."""
    patch.setattr(fill_lanes, "choose", lambda builder, condition, one, other: list(one))


@planted(look="replicates")
def the_second_turn_never_counts(patch: Patch) -> None:
    patch.setattr(fill_lanes, "choose", lambda builder, condition, one, other: list(other))


@planted(look="replicates")
def lanes_that_keep_a_normal_lose_it(patch: Patch) -> None:
    """Where some lanes keep one, too, the code for lanes that keep none is taken."""
    sound = fill_lanes.LaneFunctions.lane_loop

    def careless(self: Any, builder: Any, bounds: Any, tables: Any, values: Any, known: Any) -> Any:
        keeping = [slot for slot in sorted({*self.slot_of_carried}) if self.keeps_normals(slot)]
        return sound(self, builder, bounds, tables, values, tuple(keeping))

    patch.setattr(fill_lanes.LaneFunctions, "lane_loop", careless)


# ----------------------------------------------------------------------------------------------------------------- learning


@planted(look="derivatives")
def quotients_forget_the_sign(patch: Patch) -> None:
    """The derivative of x / y by y is as that of x * y would be."""
    patch.setitem(scalars.RULES, arith.DivfOp, lambda s, op, given: (s.divide(given, op.operands[1]), s.multiply(given, op.results[0])))


@planted(look="derivatives")
def hyperbolic_tangents_are_their_own_derivatives(patch: Patch) -> None:
    patch.setitem(scalars.RULES, math.TanhOp, scalars.scaled(lambda s, op: (op.results[0],)))


@planted(look="derivatives")
def sums_are_taken_for_extremes(patch: Patch) -> None:
    """The adjoint of a sum goes to the terms that are equal to it."""
    patch.setattr(arrays, "EXTREMA", (arith.AddfOp, *arrays.EXTREMA))


@planted(look="derivatives")
def the_last_way_is_the_only_one(patch: Patch) -> None:
    """Of adjoints that come from several uses of a value one is taken."""
    patch.setattr(differentiate, "plus", lambda emitter, left, right: right)


@planted(look="derivatives")
def what_is_overwritten_is_learned_through(patch: Patch) -> None:
    """The element that `tensor.insert` replaces keeps its adjoint."""
    sound = arrays.into_element

    def kept(emitter: Any, op: Any, given: Any) -> Any:
        return [sound(emitter, op, given)[0], (op.dest, given)]

    patch.setitem(arrays.MOVES, tensor.InsertOp, kept)


@planted(look="derivatives")
def choices_give_to_both(patch: Patch) -> None:
    patch.setitem(scalars.RULES, arith.SelectOp, lambda s, op, given: (None, given, given))
