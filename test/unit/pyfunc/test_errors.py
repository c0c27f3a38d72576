"""What leaves the subset is refused with file, line, the construct, and what to write instead."""

# pyright: basic
# ruff: noqa: F821, F841, B
import functools
import random as standard_random
from typing import NamedTuple

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, f64, i64

import cogir
from cogir import library
from cogir.dialects.rng import StateType
from cogir.errors import FunctionError
from cogir.library.signature import Random, State, Static, Step, signature_of
from cogir.pyfunc.meanings.registry import BUILTINS, INSTEAD
from cogir.pyfunc.table import FunctionTable, compile_function

V3 = TensorType(f64, [3])
V2 = TensorType(f64, [2])
LOOKUP = {"a": 1.0, "b": 2.0}
GENERATOR = np.random.default_rng(1)
GLOBAL_TABLE = np.array([1.0, 2.0])


class Special(np.ndarray):
    """An array whose operators may be anything, as those of `np.matrix` are."""


SPECIAL = np.ones(2).view(Special)
MASKED = (np.ma.masked_array([1.0, 2.0], mask=[True, False]),)


class Pair(NamedTuple):
    left: float
    right: float


class Doubled(Pair):
    def __new__(cls, left, right):
        return super().__new__(cls, 2 * left, 2 * right)


class Incomparable:
    def __eq__(self, other):
        raise ValueError("no comparing")

    __hash__ = None


INCOMPARABLE = Incomparable()


def with_array_of_another_class(x):
    return x * SPECIAL[0]


def with_masked_array(x):
    return x + MASKED[0][1]


def with_named_tuple_of_its_own(x):
    return Doubled(x, x).left


def with_constants_that_do_not_fit(x):
    return x if (GLOBAL_TABLE < np.ones(3))[0] else -x


def with_incomparable_constant(x):
    return x if INCOMPARABLE == 1 else -x


def with_try(x):
    try:
        return x
    except ValueError:
        return 0.0


def with_with(x):
    with np.errstate(all="ignore"):
        return x


def with_dict(x):
    table = {"a": x}
    return x


def with_set(x):
    return x in {1.0, 2.0}


def with_condition_in_comprehension(x):
    return sum([v for v in (x, 1.0) if v > 0])


def with_two_fors(x):
    return sum([v * w for v in (x, 1.0) for w in (1.0, 2.0)])


def with_global(x):
    global LOOKUP
    return x


def with_nonlocal(x):
    y = x

    def inner():
        nonlocal y
        return y

    return inner()


def with_yield(x):
    yield x


async def with_async(x):
    return x


def with_f_string(x):
    name = f"{x}"
    return x


def with_string_operation(x):
    name = "a" + "b"
    return x


def with_string_method(x):
    if "a".upper() == "A":
        return x
    return x


def with_unknown_numpy(x):
    return np.sinc(x)


def with_triangle(x):
    return np.tril(np.full((3, 3), x))


def with_rank(x):
    return np.linalg.matrix_rank(np.full((2, 2), x))


def with_numpy_written_in_python(x):
    return np.hanning(x)


def with_misspelt_numpy(x):
    return np.tanhh(x)


def with_two_types(x):
    if x > 0:
        y = x
    else:
        y = np.zeros(3)
    return y


def with_two_types_in_a_loop(x):
    y = x
    for i in range(3):
        y = np.ones(2) * y
    return y


def with_shape_mismatch(x):
    return np.zeros(3) + np.full(2, x)


def without_return_on_a_path(x):
    if x > 0:
        return x


def without_return(x):
    x = x + 1


def with_two_shapes_returned(x):
    if x > 0:
        return x
    return np.full(3, x)


def with_unknown_attribute(x):
    return np.full(3, x).argsrt()


def with_star_arguments(x, *others):
    return x


def with_double_star(x):
    return helper_of_one(**LOOKUP)


def helper_of_one(v):
    return v


def recursive(x):
    if x > 0:
        return recursive(x - 1.0)
    return x


def recursive_inside(x):
    def inner(v):
        return inner(v)

    return inner(x)


def used_before_definition(x):
    y = z + x
    z = 1.0
    return y


def defined_on_one_side(x):
    if x > 0:
        y = x
    return y


def defined_in_a_loop_that_may_not_run(x, n):
    for i in range(n):
        y = x
    return y


def with_undefined_name(x):
    return rnage(x)


def with_run_time_shape(x, n):
    return np.zeros(n) + x


def with_run_time_slice(x, n):
    return np.arange(5)[n:] + x


def with_index_out_of_range(x):
    return np.full(3, x)[3]


def with_float_index(x):
    return np.full(3, x)[x]


def with_too_many_indices(x):
    return np.full(3, x)[0, 0]


def with_array_condition(x):
    y = np.full(3, x)
    if y > 0:
        return x
    return -x


def with_argument_changed(x, v):
    v[0] = x
    return v


def with_argument_changed_in_place(x, v):
    v += x
    return v


def with_shared_memory(x):
    a = np.zeros(3)
    b = a
    a[0] = x
    return b


def with_view_changed(x):
    a = np.zeros((2, 2))
    row = a[0]
    a[0, 0] = x
    return row


def with_shared_memory_in_a_loop(x):
    a = np.zeros(3)
    b = np.ones(3)
    for i in range(3):
        a[0] = x
        b = a
    return b


def with_array_for_a_mask(x):
    y = np.full(3, x)
    y[y > 1.0] = np.ones(3)
    return y


def with_window_too_long(x, n):
    return np.full(3, x)[n : n + 4]


def with_tuple_item_assigned(x):
    pair = (x, x)
    pair[0] = 1.0
    return pair


def with_append(x):
    values = []
    values.append(x)
    return values[0]


def with_raise(x):
    if x > 0:
        raise ValueError("negative")
    return x


def with_run_time_assert(x):
    assert x > 0
    return x


def with_print(x):
    print(x)
    return x


def with_endless_loop(x):
    while True:
        x = x + 1


def with_loop_else(x):
    for i in range(3):
        x += i
    else:
        x = 0.0
    return x


def with_match(x):
    match x:
        case 1:
            return x
    return x


def with_import(x):
    import math  # noqa: F401

    return x


def with_hidden_generator(x):
    return x + np.random.normal()


def with_generator_of_module(x):
    return x + GENERATOR.normal()


def with_standard_random(x):
    return x + standard_random.random()


def with_negative_shape(x, *, random: Random):
    return x + random.gamma(-1.0)


def with_negative_scales(x, *, random: Random):
    return x + random.exponential([1.0, -2.0])


def with_probability_above_one(x, *, random: Random):
    return x + random.binomial(3, 1.5)


def with_fractional_trials(x, *, random: Random):
    return x + random.binomial(x, 0.5)


def with_probabilities_of_sum_two(x, *, random: Random):
    return x + random.categorical((1.0, 1.0))


def with_negative_probability(x, *, random: Random):
    return x + random.choice(2, p=np.array([1.5, -0.5]))


def with_one_probability(x, *, random: Random):
    return x + random.categorical(0.5)


def with_too_few_probabilities(x, *, random: Random):
    return x + random.choice(3, p=[0.5, 0.5])


def with_choice_of_nothing(x, *, random: Random):
    return x + random.choice(0)


def with_too_many_different(x, *, random: Random):
    return x + random.choice(3, 4, replace=False)


def with_different_of_unknown(x, n, *, random: Random):
    return x + random.choice(n, 2, replace=False)


def with_different_and_probabilities(x, *, random: Random):
    return x + random.choice(2, replace=False, p=[0.5, 0.5])


def with_permutation_of_unknown(x, n, *, random: Random):
    return x + random.permutation(n)


def with_empty_interval(x, *, random: Random):
    return x + random.truncated_normal(1.0, 1.0)


def with_parameters_that_do_not_broadcast(x, *, random: Random):
    return x + random.beta([1.0, 2.0], [1.0, 2.0, 3.0])


def with_size_that_does_not_fit(x, *, random: Random):
    return x + random.poisson([1.0, 2.0], size=3)


def with_unknown_parameter(x, *, random: Random):
    return x + random.gamma(1.0, sigma=2.0)


def with_shuffle_as_value(x, *, random: Random):
    y = random.shuffle(x)
    return x if y is None else y


def with_shuffled_argument(x, *, random: Random):
    random.shuffle(x)
    return x


def with_wrong_draw(x, *, random: Random):
    return x + random.gauss()


def with_draw_of_run_time_shape(x, n, *, random: Random):
    return x + random.normal((n,))


def with_state_not_returned(x, *, previous: State = 0.0):
    return x + previous


def with_state_of_another_shape(x, v, *, previous: State = 0.0):
    return Step(outputs=(x,), states=(np.concatenate([v, v]) + previous[0],))


def with_states_missing(x, *, a: State = 0.0, b: State = 0.0):
    return Step(outputs=(x,), states=(a,))


def with_state_without_start(x, *, previous: State):
    return Step(outputs=(x,), states=(previous,))


def with_wrong_key(x):
    return x * LOOKUP["c"]


def with_attribute_assigned(x):
    x.value = 1.0
    return x


def with_bool_sum(x):
    return (x > 0) + (x > 1)


def with_is_on_numbers(x):
    one = 1.0
    return x is one


def with_long_comprehension(x):
    return sum([v * x for v in range(100)])


def with_matrix_mismatch(x):
    return np.ones((2, 3)) @ np.full(2, x)


def with_vector_mismatch(x):
    return np.dot(np.ones(2), np.full(3, x))


def with_join_mismatch(x):
    return np.concatenate([np.full(3, x), np.ones((2, 2))])


def with_reshape_mismatch(x):
    return np.full(3, x).reshape(2, 2)


def with_wrong_call(x):
    return helper_of_one(x, 1.0)


def with_wrong_keyword(x):
    return np.sum(np.full(3, x), dtype=float)


def with_int_array_element(x):
    counts = np.zeros(3, dtype=int)
    counts[0] = x
    return counts


def with_none_result(x):
    return None


def with_unknown_callable(x):
    return functools.reduce(max, (x, x))


def with_partial(x):
    return functools.partial(np.full, 2)(x)


def with_number_called(x):
    return x(1.0)


def slopes_of_another_shape(t, y):
    return np.array([y, y])


def with_slopes_of_another_shape(x):
    return library.rk4(slopes_of_another_shape, 0.0, np.array([x, x]), 0.1)


def with_number_for_a_function(x):
    return library.rk4(x, 0.0, x, 0.1)


def with_another_diffusion(x, *, random: Random):
    return library.euler_maruyama(lambda t, y: -y, lambda t, y: np.zeros(3), 0.0, np.array([x, x]), 0.1, random=random)


def with_wrong_call_of_the_library(x):
    return library.ring_attractor(np.array([x, x])).outputs[0]


def with_lambda_default_missing(x):
    return (lambda a, b: a)(x)


def with_unpacking(x):
    a, b = (x, x, x)
    return a


def with_slice_step_zero(x):
    return np.full(3, x)[::0]


def with_empty_slice(x):
    return np.full(3, x)[3:]


def with_static_that_raises(x, *, mode: Static = "other"):
    if mode == "one":
        return x
    raise ValueError(f"no mode {mode}")


def with_complex(x):
    return x * 1j


def with_modified_outer_array(x):
    a = np.zeros(3)

    def inner():
        a[0] = 1.0
        return a

    return inner()


def with_global_changed(x):
    table = GLOBAL_TABLE
    table[0] = x
    return table


CASES = [
    (with_global_changed, [f64], "'table' is an argument, a global", "table = table.copy()"),
    (with_try, [f64], "'try' is not in the subset", "np.where"),
    (with_with, [f64], "'with' is not in the subset", "write its body without it"),
    (with_dict, [f64], "dicts are not in the subset", "named tuple"),
    (with_set, [f64], "sets are not in the subset", "use a tuple"),
    (with_condition_in_comprehension, [f64], "a comprehension with a condition", "use np.where"),
    (with_two_fors, [f64], "a comprehension with two 'for'", "nest for loops"),
    (with_global, [f64], "'global' is not in the subset", "pass the value in"),
    (with_nonlocal, [f64], "'nonlocal' is not in the subset", "return the new value"),
    (with_yield, [f64], "'yield' is not in the subset", "State argument"),
    (with_async, [f64], "'async def' is not in the subset", "plain def"),
    (with_f_string, [f64], "f-strings are not in the subset", "a string can only be compared"),
    (with_string_operation, [f64], "operations on strings", "a string can only be compared"),
    (with_string_method, [f64], "methods of strings (.upper)", "compare strings with =="),
    (with_unknown_numpy, [f64], "np.sinc is not in the subset; write np.sin(np.pi * x) / (np.pi * x)", ""),
    (with_triangle, [f64], "np.tril is not in the subset; write x times a constant array", "np.tril"),
    (with_rank, [f64], "np.linalg.matrix_rank is not in the subset; write it with functions that docs/functions.md lists", ""),
    (with_numpy_written_in_python, [f64], "np.hanning is not in the subset", "docs/functions.md"),
    (with_misspelt_numpy, [f64], "numpy has no 'tanhh'", 'did you mean "tanh"?'),
    (with_two_types, [f64], "'y' has two types: a number (float) on one path, and", "give it one type and shape"),
    (with_two_types_in_a_loop, [f64], "'y' changes its type in the loop", "use a second name"),
    (
        with_shape_mismatch,
        [f64],
        "in np.zeros(3) + np.full(2, x): arrays of shape (3,) and (2,) cannot be broadcast together",
        "give them equal shapes",
    ),
    (without_return_on_a_path, [f64], "returns a value on some paths only", "add a return at its end"),
    (without_return, [f64], "returns nothing", "return x"),
    (with_two_shapes_returned, [f64], "the function returns a number (float) on one path", "one type and shape on every path"),
    (with_unknown_attribute, [f64], "has no attribute 'argsrt'", "there are"),
    (with_star_arguments, [f64], "*others takes any number of arguments", "name each argument"),
    (with_double_star, [f64], "**arguments are not in the subset", "name each argument"),
    (recursive, [f64], "'recursive' calls itself", "write a loop"),
    (recursive_inside, [f64], "'inner' calls itself", "write a loop"),
    (used_before_definition, [f64], "'z' is used before it has a value", "assign it first"),
    (defined_on_one_side, [f64], "'y' has a value in one branch of the condition", "assign it in both branches"),
    (defined_in_a_loop_that_may_not_run, [f64, i64], "'y' has a value only inside the loop", "assign it before the loop"),
    (with_undefined_name, [f64], "'rnage' is not defined", "did you mean"),
    (with_run_time_shape, [f64, i64], "a shape must be known when the function is compiled", "use x.shape or constants"),
    (with_run_time_slice, [f64, i64], "the start of a slice is a number (int)", "use a constant"),
    (with_index_out_of_range, [f64], "in np.full(3, x)[3]: index 3 is out of range for an axis of 3", "give -3 to 2"),
    (with_float_index, [f64], "in np.full(3, x)[x]: index is a number (float), not an int", "write int(...) around it"),
    (with_too_many_indices, [f64], "2 indices for an array of shape (3,)", "give at most 1"),
    (with_array_condition, [f64], "has no truth value", "use np.any"),
    (with_argument_changed, [f64, V3], "'v' is an argument", "v = v.copy()"),
    (with_argument_changed_in_place, [f64, V3], "'v' is an argument", "v = v.copy()"),
    (with_shared_memory, [f64], "'a' and 'b' share memory", ".copy()"),
    (with_view_changed, [f64], "'a' and 'row' share memory", ".copy()"),
    (with_shared_memory_in_a_loop, [f64], "'a' and 'b' share memory", ".copy()"),
    (with_array_for_a_mask, [f64], "x[mask] = value takes one number", "np.where(mask, new, x)"),
    (with_window_too_long, [f64, i64], "a slice of 4 elements is too long for an axis of 3 elements", ""),
    (with_tuple_item_assigned, [f64], "'pair' is a tuple", "make it a list or array"),
    (with_append, [f64], "list.append changes the length", "np.zeros"),
    (with_raise, [f64], "it raises ValueError('negative')", "Static arguments exclude"),
    (with_run_time_assert, [f64], "assert of a run-time value", "check inputs outside"),
    (with_print, [f64], "print is not in the subset", "return the value"),
    (with_endless_loop, [f64], "this loop never ends", "add a condition"),
    (with_loop_else, [f64], "'else' of a loop", "set a flag"),
    (with_match, [f64], "'match' is not in the subset", "write if and elif"),
    (with_import, [f64], "'import' inside a function", "at the top of the module"),
    (
        with_hidden_generator,
        [f64],
        ": np.random.normal draws from a generator that is not an argument",
        "a generator that is not an argument; add a parameter",
    ),
    (with_generator_of_module, [f64], ": GENERATOR.normal draws from a generator that is not an argument", "random: Random"),
    (with_standard_random, [f64], "draws from a generator that is not an argument", "random: Random"),
    (with_negative_shape, [f64, StateType("mt19937")], "random.gamma: shape is -1.0", "it must be at least 0"),
    (
        with_negative_scales,
        [f64, StateType("mt19937")],
        "random.exponential: scale is a constant array",
        "every element must be at least 0",
    ),
    (with_probability_above_one, [f64, StateType("mt19937")], "random.binomial: p is 1.5", "it must be at least 0 and at most 1"),
    (with_fractional_trials, [f64, StateType("mt19937")], "random.binomial: n is a number (float)", "write int(n)"),
    (with_probabilities_of_sum_two, [f64, StateType("mt19937")], "random.categorical: p sums to 2.0, not to 1", "divide it by its sum"),
    (with_negative_probability, [f64, StateType("mt19937")], "random.choice: p has an element outside of [0.0, 1.0]", ""),
    (with_one_probability, [f64, StateType("mt19937")], "random.categorical: p is 0.5", "give a vector of probabilities"),
    (with_too_few_probabilities, [f64, StateType("mt19937")], "random.choice: p has shape (2,)", "give 3 probabilities"),
    (with_choice_of_nothing, [f64, StateType("mt19937")], "random.choice: a is 0", "a whole number above 0"),
    (with_too_many_different, [f64, StateType("mt19937")], "4 different elements of 3 cannot be drawn", "give replace=True"),
    (with_different_of_unknown, [f64, i64, StateType("mt19937")], "random.choice: without replace, a must be", "give a constant"),
    (with_different_and_probabilities, [f64, StateType("mt19937")], "random.choice: p needs replace=True", "draw one element"),
    (with_permutation_of_unknown, [f64, i64, StateType("mt19937")], "random.permutation: x is a number", "give an array"),
    (with_empty_interval, [f64, StateType("mt19937")], "random.truncated_normal: low is not below high", "give an interval"),
    (with_parameters_that_do_not_broadcast, [f64, StateType("mt19937")], "shapes (2,), (3,) do not broadcast", "give numbers, or arrays"),
    (with_size_that_does_not_fit, [f64, StateType("mt19937")], "do not broadcast to size (3,)", "give numbers, or arrays"),
    (with_unknown_parameter, [f64, StateType("mt19937")], "random.gamma: got an unexpected keyword argument 'sigma'", ""),
    (with_shuffle_as_value, [V2, StateType("mt19937")], "random.shuffle(x) is a statement", "use random.permutation"),
    (with_shuffled_argument, [V2, StateType("mt19937")], "'x' is an argument", "x = x.copy()"),
    (with_wrong_draw, [f64, StateType("mt19937")], "a generator draws with normal, uniform, integer, seed, exponential, gamma, ", ""),
    (with_draw_of_run_time_shape, [f64, i64, StateType("mt19937")], "a shape must be known", "use x.shape or constants"),
    (with_state_not_returned, [f64, f64], "has State arguments but returns a number", "return Step("),
    (with_state_of_another_shape, [f64, V2, V3], "state previous is an array of shape (3,)", "check the initial value"),
    (with_states_missing, [f64, f64, f64], "returns 1 states, but has 2 State arguments (a, b)", "return one for each"),
    (with_state_without_start, [f64, f64], "state previous has no initial value", "previous: State = 0.0"),
    (with_wrong_key, [f64], "'c' is not a key", "the keys are 'a', 'b'"),
    (with_attribute_assigned, [f64], "an attribute cannot be assigned", "return changed values"),
    (with_bool_sum, [f64], "add of truth values differs", "write int(x) first"),
    (with_array_of_another_class, [f64], "an array of class Special is not supported", "np.asarray(...)"),
    (with_masked_array, [f64], "an array of class MaskedArray is not supported", ".filled(...)"),
    (with_named_tuple_of_its_own, [f64], "Doubled defines __new__", "use a plain NamedTuple"),
    (with_constants_that_do_not_fit, [f64], "in GLOBAL_TABLE < np.ones(3): operands could not be broadcast", ""),
    (with_incomparable_constant, [f64], "in INCOMPARABLE == 1: no comparing", ""),
    (with_is_on_numbers, [f64], "'is' compares identity", "write =="),
    (with_long_comprehension, [f64], "100 items would be unrolled", "fill an array in a for loop"),
    (with_matrix_mismatch, [f64], "@ np.full(2, x): a product of arrays of shape (2, 3) and (2,)", "transpose one (.T)"),
    (with_vector_mismatch, [f64], "shape (2,) and (3,): 2 elements cannot be multiplied with 3", "for all pairs write np.outer"),
    (with_join_mismatch, [f64], "arrays of shapes (3,), (2, 2) cannot be joined along axis 0", "make them equal on all other axes"),
    (with_reshape_mismatch, [f64], "has 3 elements and cannot be reshaped to (2, 2)", "give a shape of 3 elements"),
    (with_wrong_call, [f64], "call of helper_of_one: too many positional arguments", ""),
    (with_wrong_keyword, [f64], "np.sum: got an unexpected keyword argument 'dtype'", "it takes (a, axis, keepdims) here"),
    (with_int_array_element, [f64], "cannot represent a number (float) exactly", "int(...)"),
    (with_none_result, [f64], "returns nothing", "return x"),
    (with_unknown_callable, [f64], "functools.reduce cannot be compiled", "call NumPy, math"),
    (with_partial, [f64], "functools.partial is made in a compiled function", "write a lambda"),
    (with_number_called, [f64], "a number (float) cannot be called", "give a function: a def"),
    (with_slopes_of_another_shape, [f64], "in the call of rk4: ", "return one slope for each element of y"),
    (with_number_for_a_function, [f64], "in the call of rk4: cogir/library/solvers.py", "give a function: a def"),
    (with_another_diffusion, [f64, StateType("mt19937")], "in the call of euler_maruyama: ", "return a number or one for each element"),
    (with_wrong_call_of_the_library, [f64], "in the call of ring_attractor: ", "an input of at least 3 elements"),
    (with_lambda_default_missing, [f64], "<lambda> needs a value for b", ""),
    (with_unpacking, [f64], "a tuple of 3 cannot be assigned to 2 names", ""),
    (with_slice_step_zero, [f64], "the step of a slice is 0", ""),
    (with_empty_slice, [f64], "selects no element", "cannot be empty"),
    (with_static_that_raises, [f64], "it raises ValueError(f'no mode {mode}')", "Static arguments exclude"),
    (with_complex, [f64], "1j is not in the subset", "write real numbers"),
    (with_modified_outer_array, [f64], "'a' belongs to the enclosing scope", "return the new one"),
]


@pytest.mark.parametrize(("function", "types", "found", "remedy"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_refused(function, types, found, remedy):
    with pytest.raises(FunctionError) as caught:
        compile_function(function, types, name="f", symbol_table=FunctionTable())
    message = str(caught.value)
    assert found in message
    assert remedy in message
    first = function.__code__.co_firstlineno
    name = "test_errors.py:"
    assert name in message
    line = int(message.split(name)[1].split(":")[0])
    assert first <= line < first + 13
    assert message.split(":")[0].endswith("test_errors.py")


def test_the_line_is_the_one_of_the_construct():
    with pytest.raises(FunctionError, match=rf"test_errors.py:{with_f_string.__code__.co_firstlineno + 1}: with_f_string: "):
        compile_function(with_f_string, [f64], name="f", symbol_table=FunctionTable())


def test_an_error_in_a_called_function_names_that_function():
    def caller(x):
        return with_dict(x)

    with pytest.raises(FunctionError, match=rf":{with_dict.__code__.co_firstlineno + 1}: with_dict: dicts"):
        compile_function(caller, [f64], name="f", symbol_table=FunctionTable())


def test_a_function_without_source():
    scope: dict = {}
    exec("def hidden(x):\n    return x\n", scope)
    with pytest.raises(FunctionError, match="hidden: the source of the function cannot be read; define it in a file"):
        compile_function(scope["hidden"], [f64], name="f", symbol_table=FunctionTable())


def test_what_is_no_function():
    with pytest.raises(FunctionError, match="is ufunc, not a Python function; give a def or lambda"):
        compile_function(np.tanh, [f64], name="f", symbol_table=FunctionTable())


def test_a_wrong_number_of_types():
    with pytest.raises(FunctionError, match=r"2 argument types for 1 arguments \(v\)"):
        compile_function(helper_of_one, [f64, f64], name="f", symbol_table=FunctionTable())


def test_a_type_that_is_no_argument():
    with pytest.raises(FunctionError, match="argument v has type tensor<0xf64>; give f64"):
        compile_function(helper_of_one, [TensorType(f64, [0])], name="f", symbol_table=FunctionTable())


def test_an_unknown_static():
    with pytest.raises(FunctionError, match=r"no Static argument \['node'\]; there are \['mode'\]"):
        compile_function(with_static_that_raises, [f64], name="f", statics={"node": 1}, symbol_table=FunctionTable())


def test_double_starred_parameters_have_no_signature():
    with pytest.raises(FunctionError, match=r"parameter \*\*others takes any number"):
        signature_of(lambda x, **others: x)


def test_names_that_are_not_in_the_subset_have_no_other_remedy():
    assert not set(INSTEAD) & set(BUILTINS)


def test_constants_that_do_not_fit_are_errors_of_the_function() -> None:
    """Neither an OverflowError nor a MemoryError, and nothing is allocated that a model could not hold."""

    def product(x):
        return x * 10**400

    def shifted(x):
        return x + (1 << 5000)

    def zeros(x):
        return x + np.zeros(10**11)[0]

    def rows(x):
        return x + np.full((10**5, 10**5), 2.0).sum()

    def counted(x):
        return x + np.arange(10**14).sum()

    def items(x):
        return x + ([0.0] * 10**12)[0]

    for function, message in (
        (product, r"product: a whole number is too large .*; write it as a float, such as 1e300"),
        (shifted, r"shifted: a whole number is too large"),
        (zeros, r"zeros: an array has 100000000000 elements; an array of a model has at most 134217728"),
        (rows, r"rows: an array has 10000000000 elements"),
        (counted, r"counted: an array does not fit into memory"),
        (items, r"items: 1000000000000 items would be unrolled"),
    ):
        model = cogir.Model("m")
        with pytest.raises(FunctionError, match=rf"test_errors.py:\d+: node \"n\": .*test_errors.py:\d+: {message}"):
            model.node("n", function, input=())
