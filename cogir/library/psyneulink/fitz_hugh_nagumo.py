"""The FitzHugh-Nagumo oscillator with PsyNeuLink's steps."""

from cogir.library.signature import NonNegative, Positive, State, Static, Step, Value, node_function


def _fitz_hugh_nagumo_dv(
    variable: Value,
    v: Value,
    w: Value,
    a_v: Value,
    b_v: Value,
    c_v: Value,
    d_v: Value,
    e_v: Value,
    f_v: Value,
    time_constant_v: Value,
    threshold: Value,
) -> Value:
    """The slope of the fast variable."""
    cubic = a_v * (v * v * v) + (1.0 + threshold) * b_v * (v * v) + -threshold * c_v * v
    return (cubic + d_v + e_v * w + f_v * variable) / time_constant_v


def _fitz_hugh_nagumo_dw(
    v: Value, w: Value, mode: Value, a_w: Value, b_w: Value, c_w: Value, uncorrelated_activity: Value, time_constant_w: Value
) -> Value:
    """The slope of the slow variable."""
    return (mode * a_w * v + b_w * w + c_w + (1.0 - mode) * uncorrelated_activity) / time_constant_w


@node_function(outputs=("v", "w", "time"))
def fitz_hugh_nagumo_integrator(
    variable: Value,
    *,
    a_v: Value = -1.0 / 3.0,
    b_v: Value = 0.0,
    c_v: Value = 1.0,
    d_v: Value = 0.0,
    e_v: Value = -1.0,
    f_v: Value = 1.0,
    time_constant_v: Positive = 1.0,
    threshold: Value = -1.0,
    a_w: Value = 1.0,
    b_w: Value = -0.8,
    c_w: Value = 0.7,
    mode: Value = 1.0,
    uncorrelated_activity: Value = 0.0,
    time_constant_w: Positive = 12.5,
    time_step_size: NonNegative = 0.05,
    integration_method: Static = "rk4",
    previous_v: State = 0.0,
    previous_w: State = 0.0,
    previous_time: State = 0.0,
) -> Value:
    """
    One step `dt = time_step_size` of a generalised FitzHugh-Nagumo oscillator:

        time_constant_v * dv/dt = a_v * v**3 + (1 + threshold) * b_v * v**2 - threshold * c_v * v + d_v + e_v * w + f_v * x
        time_constant_w * dw/dt = mode * a_w * v + b_w * w + c_w + (1 - mode) * uncorrelated_activity

    Differs: its Runge-Kutta step takes the other variable's value from before the step in all four slopes, so it is no Runge-Kutta step of
    the system, and its order is 1 instead of 4. `fitz_hugh_nagumo` has order 4.

    Parameters, without unit unless said: `a_v`, `b_v`, `c_v`, `d_v`, `e_v`, `f_v` and `threshold`, of the fast variable; `a_w`, `b_w`,
    `c_w`, `mode` and `uncorrelated_activity`, of the slow one; `time_constant_v` and `time_constant_w` (> 0) and `time_step_size` (>= 0),
    in one unit of time; `integration_method`, "rk4" or "euler".

    Input: `variable` (x), the current, of any shape. Outputs: `v` and `w`, of that shape, and `time`, a number. States: `previous_v`,
    `previous_w` and `previous_time`, which start at 0 and are kept until the node is reset.

    Source: FitzHugh (1961); Nagumo et al. (1962); PsyNeuLink `FitzHughNagumoIntegrator`.

        model.node("cell", library.psyneulink.fitz_hugh_nagumo_integrator, input=1, integration_method="euler")
    """
    dt = time_step_size
    v, w = previous_v, previous_w
    v1 = _fitz_hugh_nagumo_dv(variable, v, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
    w1 = _fitz_hugh_nagumo_dw(v, w, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
    if integration_method == "euler":
        new_v = v + dt * v1
        new_w = w + dt * w1
    elif integration_method == "rk4":
        v2 = _fitz_hugh_nagumo_dv(variable, v + 0.5 * dt * v1, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w2 = _fitz_hugh_nagumo_dw(v, w + 0.5 * dt * w1, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        v3 = _fitz_hugh_nagumo_dv(variable, v + 0.5 * dt * v2, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w3 = _fitz_hugh_nagumo_dw(v, w + 0.5 * dt * w2, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        v4 = _fitz_hugh_nagumo_dv(variable, v + dt * v3, w, a_v, b_v, c_v, d_v, e_v, f_v, time_constant_v, threshold)
        w4 = _fitz_hugh_nagumo_dw(v, w + dt * w3, mode, a_w, b_w, c_w, uncorrelated_activity, time_constant_w)
        new_v = v + dt / 6.0 * (v1 + 2.0 * (v2 + v3) + v4)
        new_w = w + dt / 6.0 * (w1 + 2.0 * (w2 + w3) + w4)
    else:
        raise ValueError('integration_method is neither "rk4" nor "euler"; give one of them')
    time = previous_time + dt
    return Step(outputs=(new_v, new_w, time), states=(new_v, new_w, time))
