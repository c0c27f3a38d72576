"""Branches, loops, early exits, assignments, states and draws mean what they mean in Python."""

# pyright: basic
import numpy as np
import pytest
from support.pyfunc import check, compile_for, compiled_results
from xdsl.dialects import scf

from cogir.library.signature import Random, State, Step

X = np.array([0.5, -1.25, 3.0, 2.0])


def branches(x):
    if x > 1.0:
        y = x * 2
    elif x > 0.0:
        y = x + 10
        x = -x
    else:
        y = 0.0
    return y + x


def early_return(x):
    if x > 1.0:
        return x
    y = x * 3
    if y < -2.0:
        return y - 1
    return y + 100


def nested_early_return(x):
    if x > 0:
        if x > 2:
            return 1.0
        x = x + 0.5
    else:
        if x < -2:
            return 2.0
    return x


def guard_without_else(x):
    y = 1
    if x > 0:
        y = 2
    return y


def if_in_return_tuple(x):
    if x > 0:
        return x, 1
    return -x, 0


@pytest.mark.parametrize("x", [-3.0, -1.0, 0.25, 1.5, 4.0])
@pytest.mark.parametrize("function", [branches, early_return, nested_early_return, guard_without_else, if_in_return_tuple])
def test_branches(function, x):
    check(function, x)


def counted(x, n):
    total = 0
    for i in range(n):
        total += i * x
    return total


def counted_with_bounds(x, n):
    total = 0.0
    for i in range(1, n + 3, 2):
        total += i + x
    for j in range(n, -2, -1):
        total -= j
    for k in range(10, n):
        total += k * 100
    return total


def breaks(x, n):
    count = 0
    for i in range(n):
        x = x * 0.5
        if x < 0.1:
            break
        count += 1
    return x, count


def continues(x, n):
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            continue
        total += x
        if i == 3:
            continue
        total += 1
    return total


def returns_from_a_loop(x, n):
    for i in range(n):
        x = x + 1
        if x > 3.0:
            return x, i
    return -x, n


def breaks_and_returns(x, n):
    for i in range(n):
        x = x * 1.5
        if x > 40.0:
            return 1.0
        if i == 4:
            break
        if x < 0:
            continue
        x += 0.1
    return x


def nested_loops(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            if j > 2:
                break
            total += x * j
        if total > 20:
            break
    return total


def while_loop(x, n):
    steps = 0
    while x < 10.0 and steps < n:
        x = x * 1.5 + 1
        steps += 1
    return x, steps


def endless_with_break(x, n):
    i = 0
    while True:
        i += 1
        x += 0.5
        if i >= n:
            break
    return x


def endless_with_return(x, n):
    while True:
        n = n - 1
        x = x - 1.0
        if n < 0:
            return x


def loop_variable_after_the_loop(x, n):
    for i in range(3):
        y = x + i
    return y * i


def assigned_in_the_loop_only(x, n):
    for i in range(4):
        last = x * i  # noqa: F841
        if i == 2:
            break
    return x


def swapped(x, n):
    a, b = x, 1.0
    for _ in range(n):
        a, b = b, a + b
    return a, b


def int_becomes_float(x, n):
    total = 0
    while n > 0:
        total = total + x / 2
        n -= 1
    return total


def loop_in_branch(x, n):
    if x > 1:
        for i in range(n):
            x += i
    else:
        while n > 2:
            n -= 1
    return x, n


def branch_of_three_returns(x, n):
    while n > 0:
        n -= 1
        if n == 7:
            return 7.0
        elif n == 3:
            return 3.0 * x
        else:
            x += 1
    else_value = x * 2
    return else_value


LOOPS = [
    counted,
    counted_with_bounds,
    breaks,
    continues,
    returns_from_a_loop,
    breaks_and_returns,
    nested_loops,
    while_loop,
    endless_with_break,
    endless_with_return,
    loop_variable_after_the_loop,
    assigned_in_the_loop_only,
    swapped,
    int_becomes_float,
    loop_in_branch,
    branch_of_three_returns,
]


@pytest.mark.parametrize("n", [0, 1, 5, 12])
@pytest.mark.parametrize("x", [-2.0, 0.3, 2.5])
@pytest.mark.parametrize("function", LOOPS)
def test_loops(function, x, n):
    check(function, x, n)


def over_an_array(x):
    total = 0.0
    for value in x:
        total += value * value
    return total


def over_enumerate(x):
    total = 0.0
    for i, value in enumerate(x):
        total += i * value
    return total


def over_zip(x):
    total = 0.0
    for a, b, i in zip(x, x[::-1], range(10)):
        total += a * b - i
    return total


def over_rows(x):
    m = x.reshape(2, 2)
    total = np.zeros(2)
    for row in m:
        total = total + row * row[0]
    return total


def over_a_tuple(x):
    total = 0.0
    for weight, name in ((1.0, "a"), (2.0, "b"), (3, "c")):
        if name == "b":
            continue
        total += weight * x[0]
        if total > 1.9:
            break
    return total


def over_a_tuple_with_return(x):
    for value in (x[0], x[1], x[2]):
        if value > 2.5:
            return value
    return -1.0


def over_functions(x):
    for function in (np.tanh, np.cos):
        x = function(x)
    return x


def over_reversed(x):
    total = 0.0
    for value in reversed(x):
        total = total * 2 + value
    for i in reversed(range(3)):
        total = total * 3 + i
    return total


def elements_assigned(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[3 - i] * 2
    y[0] += 1
    y[-1] *= 3
    return y


def slices_assigned(x):
    y = x.copy()
    y[1:3] = 7
    y[::2] = x[:2]
    y[::-1] += np.arange(4)
    return y


def rows_assigned(x):
    m = np.zeros((3, 4))
    for i in range(3):
        m[i] = x * i
    m[:, 1] = 5.0
    m[0, 2:] = x[:2]
    m[1][3] = -1.0
    m[2, 0] -= 4
    return m


def whole_array_updated(x):
    y = np.ones(4)
    y += x
    y *= 2
    y[:] = y - 1
    return y


def sorted_by_insertion(x):
    y = x.copy()
    for i in range(1, len(y)):
        j = i
        while j > 0 and y[j - 1] > y[j]:
            swap = y[j - 1]
            y[j - 1] = y[j]
            y[j] = swap
            j -= 1
    return y


def lists_and_tuples(x):
    pair = [x[0], 2.0]
    pair[1] = x[1]
    first, *rest = (pair[0], pair[1], 5.0)
    a, (b, c) = first, rest
    return a + 2 * b + 3 * c


def list_in_a_loop(x):
    pair = [0.0, 1]
    for i in range(4):
        pair = [pair[1], pair[0] + x[i]]
    return pair[0] - pair[1]


def views_read(x):
    row = x.reshape(2, 2)[1]
    x = x * 2
    return row + x[:2]


def masks_assigned(x):
    y = x.copy()
    y[y > 1.5] = 0.0
    y[x < 0.0] *= -2
    counts = np.zeros(4, dtype=int)
    counts[x > 1] += 3
    return y, counts


def windows(x):
    total = np.zeros(2)
    for i in range(3):
        total = total + x[i : i + 2] * i
    y = x.copy()
    n = int(abs(x[3]))
    y[n : n + 2] = total
    return y


def aliases_in_a_loop(x):
    previous = np.zeros(4)
    for i in range(3):
        current = previous.copy()
        current[i] = x[i]
        previous = current
    return previous


def replaced_in_a_loop(x):
    y = np.zeros(4)
    for i in range(4):
        if x[i] > 0:
            y[i] = i
        else:
            y = np.ones(4) * x[0]
    return y


def assigned_in_the_test(x):
    a = x[0] * 0.0
    while (b := a * 2 + 1) < 10:
        a = b + 1
    return a, b


def array_in_branches(x):
    if x[0] > 0:
        y = x * 2
    else:
        y = np.zeros(4)
    if x[1] > 0:
        y[0] = 9.0
    return y


def closures_see_later_values(x):
    scale = 1.0

    def scaled(v):
        return v * scale

    a = scaled(x)
    scale = 3.0
    return a + scaled(x)


def inner_function_with_flow(x):
    def largest(values):
        best = values[0]
        for value in values:
            if value > best:
                best = value
        return best

    def sign(v):
        if v > 0:
            return 1
        if v < 0:
            return -1
        return 0

    return largest(x) + sign(x[1]) + sign(x[0])


ARRAYS = [
    over_an_array,
    over_enumerate,
    over_zip,
    over_rows,
    over_a_tuple,
    over_a_tuple_with_return,
    over_functions,
    over_reversed,
    elements_assigned,
    slices_assigned,
    rows_assigned,
    whole_array_updated,
    sorted_by_insertion,
    lists_and_tuples,
    list_in_a_loop,
    views_read,
    masks_assigned,
    windows,
    aliases_in_a_loop,
    replaced_in_a_loop,
    assigned_in_the_test,
    array_in_branches,
    closures_see_later_values,
    inner_function_with_flow,
]


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("function", ARRAYS)
def test_arrays(function, sign):
    check(function, X * sign)


def accumulate(x, *, rate=0.5, value: State = 0.0, count: State = 0):
    value = value + rate * x
    count = count + 1
    return Step(outputs=(value, count), states=(value, count), finished=value[0] > 1.0)


def test_states_grow_to_the_type_of_the_next_state():
    _, values = compile_for(accumulate, X)
    assert values[2].shape == (4,)
    check(accumulate, X)
    check(accumulate, X * 3, value=np.array([1.0, 2.0, 3.0, 4.0]), count=6)


def diffuse(x, *, noise=1.0, threshold=1.0, random: Random):
    value = 0.0
    time = 0
    while abs(value) < threshold:
        value = value + x * 0.1 + noise * random.normal() * 0.1
        time += 1
    if random.uniform() < 0.5:
        value = value + random.integer(6)
    return value, time, random.normal((2, 2)), random.uniform(3)


def test_draws_in_loops_and_branches():
    check(diffuse, 0.3)
    check(diffuse, -0.3, noise=3.0)


def noisy(x, random):
    return x + random.normal(x.shape)


def draws_through_functions(x, *, random: Random, other: Random):
    def local(v):
        return v + random.uniform()

    y = noisy(noisy(x, random), other)
    z = local(y) if x[0] > 0 else y
    while random.uniform() < 0.8:
        z = z + 1
    w = 0.0 if x[0] > 10 or random.uniform() > 0.5 else random.normal()
    return z, w


def test_draws_through_functions():
    check(draws_through_functions, X)
    check(draws_through_functions, -X)


def started_anew(x, *, seed=7.0, used: State = -1.0, random: Random):
    if int(seed) != int(used):
        random.seed(int(seed))
    return Step(outputs=(x + random.normal(x.shape),), states=(seed,))


def test_a_seed_starts_a_generator_anew():
    check(started_anew, X)
    check(started_anew, X, used=7.0)


def test_a_loop_over_a_range_stays_one_loop():
    module, _ = compile_for(elements_assigned, X)
    assert sum(isinstance(op, scf.ForOp) for op in module.walk()) == 1


def test_a_loop_that_never_runs_leaves_the_values():
    def never(x):
        for i in range(0):
            x = x + undefined_name  # noqa: F821
        return x

    assert compiled_results(never, 2.0) == (2.0,)


def test_a_name_that_nobody_reads_is_not_carried():
    def unread(x, n):
        y = x * 2
        while n > 0:
            n -= 1
            for k in range(3):
                if k > n:
                    return x + k
                y = x * k  # noqa: F841
            if n == 2:
                break
        return x

    check(unread, 1.5, 5)
