"""PsyNeuLink's transfer functions with formulas of their own. The others are in `cogir.library`."""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Probability, Random, Static, Value, node_function


def tanh(variable: Value, *, gain: Value = 1.0, bias: Value = 0.0, x_0: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * (1 - exp(z)) / (1 + exp(z))` with `z = -2 * (gain * (variable + bias - x_0) + offset)`

    Differs: `offset` is added to the argument, not to the result, and inputs below about -355 / gain give NaN. `library.tanh` is the plain
    one.

    Parameters (numbers, or arrays that broadcast): `gain`, the slope at the centre, per unit of the input; `bias` and `x_0`, in units of
    the input; `scale`, half of the height; `offset`, of the argument.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `Tanh`.

        library.psyneulink.tanh(np.array([0.0, 1.0]), offset=0.5)  # [0.462, 0.905]
    """
    power = np.exp(-2.0 * (gain * (variable + bias - x_0) + offset))
    return scale * (1.0 - power) / (1.0 + power)


def gaussian(variable: Value, *, standard_deviation: Positive = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0) -> Value:
    """
    `scale * exp(-(variable - bias)**2 / (2 * sd**2)) / sqrt(2 * pi * sd) + offset` with `sd = standard_deviation`

    Differs: the root covers `sd` itself, not its square, so the area is 1 only for `sd = 1`. The density is this with `scale = 1 /
    sqrt(standard_deviation)`.

    Parameters (numbers, or arrays that broadcast): `standard_deviation` (> 0) and `bias`, the mean, in units of the input; `scale` and
    `offset`, of the result.

    Input: `variable`, of any shape. Output: `value`, of that shape.

    Source: PsyNeuLink `Gaussian`.

        library.psyneulink.gaussian(np.array([0.0, 1.0]), standard_deviation=4.0)  # [0.199, 0.193]
    """
    distance = variable - bias
    bell = np.exp(-(distance * distance) / (2.0 * (standard_deviation * standard_deviation)))
    return scale * (bell / np.sqrt(2.0 * np.pi * standard_deviation)) + offset


def gaussian_distort(
    variable: Value, *, variance: NonNegative = 1.0, bias: Value = 0.0, scale: Value = 1.0, offset: Value = 0.0, random: Random
) -> Value:
    """
    `scale * (variable + bias + variance * N) + offset`

    Differs: `variance` acts as a standard deviation. `normal_dist` has a `mean` and a `standard_deviation`.

    Parameters (numbers, or arrays that broadcast): `variance` (>= 0), a standard deviation in units of the input; `bias`, in units of the
    input; `scale` and `offset`, of the result.

    Input: `variable`, of any shape. Output: `value`, of that shape. Draws: one standard normal `N` for each element.

    Source: PsyNeuLink `GaussianDistort`.

        model.node("seen", library.psyneulink.gaussian_distort, input=2, variance=0.5)
    """
    draw = random.normal(variable.shape)
    return scale * (variable + bias + variance * draw) + offset


def binomial_distort(variable: Value, *, p: Probability = 0.05, random: Random) -> Value:
    """
    `variable * kept` where each element of `kept` is 1 with the probability `1 - p`, else 0

    Differs: an array of two axes has one draw for each element of the first axis, and they meet it as NumPy broadcasts them, along its last
    axis; so one row is kept or dropped as a whole. One draw for each element is `np.where(random.uniform(variable.shape) < p, 0.0,
    variable)` in a function of your own.

    Parameter: `p` (0 to 1), the probability of 0.

    Input: `variable` (n,), or (m, n) with m = n or m = 1. Output: `value`, of that shape. Draws: one uniform number for each element of the
    first axis, as NumPy's legacy `binomial(n=1)` inverts its distribution.

    Source: PsyNeuLink `BinomialDistort`.

        model.node("kept", library.psyneulink.binomial_distort, input=5, p=0.2)
    """
    draw = random.uniform(variable.shape[:1])
    if 1.0 - p <= 0.5:
        kept = np.where(draw > p, 1.0, 0.0)
    else:
        kept = np.where(draw > 1.0 - p, 0.0, 1.0)
    return variable * kept


def dropout(variable: Value, *, p: Probability = 0.5, random: Random) -> Value:
    """
    `binomial_distort(variable) / (1 - p)`, so that the mean stays

    Differs: an array of two axes has one draw for each element of the first axis, as in `binomial_distort`. One draw for each element is
    `np.where(random.uniform(variable.shape) < p, 0.0, variable / (1.0 - p))` in a function of your own.

    Parameter: `p` (0 to 1, below 1), the probability of 0.

    Input: `variable` (n,), or (m, n) with m = n or m = 1. Output: `value`, of that shape. Draws: one uniform number for each element of the
    first axis.

    Source: Srivastava et al. (2014); PsyNeuLink `Dropout` while it learns; otherwise that is `identity`.

        model.node("kept", library.psyneulink.dropout, input=5, p=0.2)
    """
    return binomial_distort(variable, p=p, random=random) * (1.0 / (1.0 - p))


@node_function(outputs=("value", "cost"))
def transfer_with_costs(
    variable: Value,
    *,
    intensity_cost: Static = False,
    intensity_rate: Value = 1.0,
    intensity_bias: Value = 0.0,
) -> Value:
    """
    The allocation itself, and its cost `exp(intensity_rate * variable + intensity_bias)`, or 0

    Differs: only PsyNeuLink defines it, and has more costs; those of a controller's signals are computed by a search of the model.

    Parameters: `intensity_cost` (False or True), whether there is a cost; `intensity_rate`, per unit of the input; `intensity_bias`.

    Input: `variable`, of any shape. Outputs: `value`, the same, and `cost`, of that shape.

    Source: PsyNeuLink `TransferWithCosts`.

        library.psyneulink.transfer_with_costs(np.array([0.0]), intensity_cost=True)[1]  # [1.0]
    """
    if intensity_cost:
        return variable, np.exp(intensity_rate * variable + intensity_bias)
    return variable, 0.0 * variable
