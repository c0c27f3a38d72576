# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Rate models: populations of neurons, and an excitable cell, each advanced by one step of `rk4`.

Each element of the input is the drive of one population (or cell); the populations of a node do not influence each other except where a
function says so. The input is constant during a step. The states hold the shape of the input. `time_step_size` is in the unit of the
model's time constants.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, State, Step, Value, node_function
from cogir.library.solvers import rk4


def _wilson_cowan_response(x: Value, slope: Value, threshold: Value) -> Value:
    """A logistic, shifted so that it is 0 at 0."""
    return 1.0 / (1.0 + np.exp(-slope * (x - threshold))) - 1.0 / (1.0 + np.exp(slope * threshold))


def _wilson_cowan_slope(
    t: Value, y: Value, p: Value, q: Value, weights: Value, excitatory: tuple[Value, ...], inhibitory: tuple[Value, ...]
) -> Value:
    """The slopes of both populations; each tuple: slope and threshold of the response, refractory period, time constant."""
    c1, c2, c3, c4 = weights
    slope_e, threshold_e, refractory_e, tau_e = excitatory
    slope_i, threshold_i, refractory_i, tau_i = inhibitory
    e, i = y[0], y[1]
    top_e = 1.0 - 1.0 / (1.0 + np.exp(slope_e * threshold_e))
    top_i = 1.0 - 1.0 / (1.0 + np.exp(slope_i * threshold_i))
    response_e = _wilson_cowan_response(c1 * e - c2 * i + p, slope_e, threshold_e)
    response_i = _wilson_cowan_response(c3 * e - c4 * i + q, slope_i, threshold_i)
    de = (-e + (top_e - refractory_e * e) * response_e) / tau_e
    di = (-i + (top_i - refractory_i * i) * response_i) / tau_i
    return np.stack([de, di])


@node_function(outputs=("excitatory", "inhibitory"))
def wilson_cowan(
    variable: Value,
    inhibitory_input: Value,
    *,
    c1: NonNegative = 16.0,
    c2: NonNegative = 12.0,
    c3: NonNegative = 15.0,
    c4: NonNegative = 3.0,
    slope_e: Positive = 1.3,
    threshold_e: Value = 4.0,
    slope_i: Positive = 2.0,
    threshold_i: Value = 3.7,
    refractory_e: NonNegative = 1.0,
    refractory_i: NonNegative = 1.0,
    time_constant_e: Positive = 8.0,
    time_constant_i: Positive = 8.0,
    time_step_size: Positive = 0.5,
    previous_e: State = 0.0,
    previous_i: State = 0.0,
) -> Value:
    """
    One step of an excitatory and an inhibitory population that are coupled:

        tau_e * dE/dt = -E + (k_e - r_e * E) * S_e(c1 * E - c2 * I + P)
        tau_i * dI/dt = -I + (k_i - r_i * I) * S_i(c3 * E - c4 * I + Q)
        S(x) = 1 / (1 + exp(-slope * (x - threshold))) - 1 / (1 + exp(slope * threshold))

    with `k` the largest value of `S`, as in the paper; programs that take `k = 1` compute other numbers.

    Parameters: `c1`, `c2`, `c3` and `c4` (>= 0), without unit; `slope_e` and `slope_i` (> 0), `threshold_e` and `threshold_i`, of the
    responses, without unit; `refractory_e` and `refractory_i` (r, >= 0), without unit; `time_constant_e` and `time_constant_i` (tau, > 0)
    and `time_step_size` (> 0), in ms. The defaults are those of the paper's figure 11: with `P = 1.25`, a limit cycle; with `P = 0`, rest
    is stable.

    Inputs: `variable` (P), the excitatory drive, and `inhibitory_input` (Q), 0 if nothing is connected; of one shape, without unit.
    Outputs: `excitatory` (E) and `inhibitory` (I), of that shape: the proportions of active cells, relative to the resting state (so they
    may be slightly negative). States: `previous_e` and `previous_i`, which start at 0 and are kept until the node is reset. The step is one
    of `rk4`.

    Source: Wilson and Cowan (1972).

        model.node("cortex", library.wilson_cowan, input=1, time_step_size=0.5)
    """
    rest = np.zeros(variable.shape)
    y = np.stack([previous_e + rest, previous_i + rest])
    excitatory = (slope_e, threshold_e, refractory_e, time_constant_e)
    inhibitory = (slope_i, threshold_i, refractory_i, time_constant_i)
    args = (variable, inhibitory_input, (c1, c2, c3, c4), excitatory, inhibitory)
    y = rk4(_wilson_cowan_slope, 0.0, y, time_step_size, args)
    return Step(outputs=(y[0], y[1]), states=(y[0], y[1]))


def _jansen_rit_rate(v: Value, sigmoid: tuple[Value, ...]) -> Value:
    """The firing rate at a mean membrane potential."""
    half_rate, v0, r = sigmoid
    return 2.0 * half_rate / (1.0 + np.exp(r * (v0 - v)))


def _jansen_rit_slope(
    t: Value, y: Value, p: Value, synapses: tuple[Value, ...], connections: tuple[Value, ...], sigmoid: tuple[Value, ...]
) -> Value:
    """The slopes of the three potentials and of their derivatives."""
    gain_e, gain_i, rate_e, rate_i = synapses
    c1, c2, c3, c4 = connections
    y0, y1, y2, y3, y4, y5 = y[0], y[1], y[2], y[3], y[4], y[5]
    d3 = gain_e * rate_e * _jansen_rit_rate(y1 - y2, sigmoid) - 2.0 * rate_e * y3 - rate_e * rate_e * y0
    d4 = gain_e * rate_e * (p + c2 * _jansen_rit_rate(c1 * y0, sigmoid)) - 2.0 * rate_e * y4 - rate_e * rate_e * y1
    d5 = gain_i * rate_i * c4 * _jansen_rit_rate(c3 * y0, sigmoid) - 2.0 * rate_i * y5 - rate_i * rate_i * y2
    return np.stack([y3, y4, y5, d3, d4, d5])


@node_function(outputs=("value", "potentials"))
def jansen_rit(
    variable: Value,
    *,
    gain_e: NonNegative = 3.25,
    gain_i: NonNegative = 22.0,
    rate_e: Positive = 100.0,
    rate_i: Positive = 50.0,
    connectivity: NonNegative = 135.0,
    ratio_1: NonNegative = 1.0,
    ratio_2: NonNegative = 0.8,
    ratio_3: NonNegative = 0.25,
    ratio_4: NonNegative = 0.25,
    half_rate: NonNegative = 2.5,
    v0: Value = 6.0,
    r: Positive = 0.56,
    time_step_size: Positive = 0.001,
    potentials: State = 0.0,
) -> Value:
    """
    One step of a cortical column: pyramidal cells with excitatory and inhibitory interneurons:

        y0'' = A * a * S(y1 - y2) - 2 * a * y0' - a**2 * y0
        y1'' = A * a * (p + C2 * S(C1 * y0)) - 2 * a * y1' - a**2 * y1
        y2'' = B * b * C4 * S(C3 * y0) - 2 * b * y2' - b**2 * y2
        S(v) = 2 * e0 / (1 + exp(r * (v0 - v)))

    Parameters: `gain_e` and `gain_i` (A and B, >= 0), in mV; `rate_e` and `rate_i` (a and b, > 0), in 1/s; `connectivity` (>= 0) and
    `ratio_1`, `ratio_2`, `ratio_3` and `ratio_4` (>= 0), whose products are C1 to C4, without unit; `half_rate` (e0, >= 0), in 1/s; `v0`,
    in mV; `r` (> 0), in 1/mV; `time_step_size` (> 0), in s (not ms: 1.0 diverges). The defaults are the paper's, with which the column
    oscillates at 10.9 Hz for `p = 220`, and not at all above 315.7.

    Input: `variable` (p), the rate of pulses from elsewhere in 1/s, one for each column; between 120 and 320 in the paper. Outputs:
    `value`, `y1 - y2` in mV, the model's EEG, of the shape of the input; `potentials`, `(y0, y1, y2, y0', y1', y2')`, (6, *shape of the
    input), in mV and mV/s. State: `potentials`, which start at 0 and are kept until the node is reset. The step is one of `rk4`.

    Source: Jansen and Rit (1995).

        model.node("column", library.jansen_rit, input=1, time_step_size=0.001)
    """
    y = potentials + np.zeros((6, *variable.shape))
    synapses = (gain_e, gain_i, rate_e, rate_i)
    connections = (ratio_1 * connectivity, ratio_2 * connectivity, ratio_3 * connectivity, ratio_4 * connectivity)
    y = rk4(_jansen_rit_slope, 0.0, y, time_step_size, (variable, synapses, connections, (half_rate, v0, r)))
    return Step(outputs=(y[1] - y[2], y), states=(y,))


def _fitz_hugh_nagumo_slope(t: Value, y: Value, current: Value, a: Value, b: Value, tau: Value) -> Value:
    """The slopes of the fast and the slow variable."""
    v, w = y[0], y[1]
    return np.stack([v - v * v * v / 3.0 - w + current, (v + a - b * w) / tau])


@node_function(outputs=("v", "w"))
def fitz_hugh_nagumo(
    variable: Value,
    *,
    a: Value = 0.7,
    b: Value = 0.8,
    time_constant: Positive = 12.5,
    time_step_size: Positive = 0.1,
    previous_v: State = -1.199408035244035,
    previous_w: State = -0.6242600440550439,
) -> Value:
    """
    One step of an excitable cell: `v' = v - v**3 / 3 - w + I`, `w' = (v + a - b * w) / tau`

    Parameters: `a` and `b`, without unit; `time_constant` (tau, > 0) and `time_step_size` (> 0), in one unit of time.

    Input: `variable` (I), the current of each cell, without unit. Outputs: `v` (membrane potential) and `w` (recovery), of the shape of the
    input. States: `previous_v` and `previous_w`, which start at rest, the fixed point for `I = 0` and the default `a` and `b`, and are kept
    until the node is reset; give other initial values with other parameters. With the defaults, the cell spikes repeatedly for `I` between
    about 0.33 and 1.42. The step is Runge-Kutta's for both variables together, of order 4; that of `psyneulink.fitz_hugh_nagumo_integrator`
    is of order 1.

    Sources: FitzHugh (1961); Nagumo et al. (1962).

        model.node("cell", library.fitz_hugh_nagumo, input=1, time_step_size=0.1)
    """
    rest = np.zeros(variable.shape)
    y = np.stack([previous_v + rest, previous_w + rest])
    y = rk4(_fitz_hugh_nagumo_slope, 0.0, y, time_step_size, (variable, a, b, time_constant))
    return Step(outputs=(y[0], y[1]), states=(y[0], y[1]))
