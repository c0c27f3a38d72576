"""
The function library: the field's functions, written once, as plain Python in the compilable subset.

Each runs as Python over NumPy arrays, and compiles. A user's own function takes the same road.
"""

from cogir.library.combination import (
    combine_means,
    comparator,
    concatenate,
    linear_combination,
    matrix_transform,
    prediction_error_delta,
    reduce,
)
from cogir.library.ddm import drift_diffusion_analytical
from cogir.library.distributions import exponential_dist, normal_dist, uniform_dist, wald_dist
from cogir.library.integrators import (
    accumulator_integrator,
    adaptive_integrator,
    drift_diffusion_integrator,
    dual_adaptive_integrator,
    fitz_hugh_nagumo_integrator,
    interactive_activation_integrator,
    leaky_competing_integrator,
    ornstein_uhlenbeck_integrator,
    simple_integrator,
)
from cogir.library.mechanisms import integrated_linear, integrated_logistic, leaky_competing_accumulator
from cogir.library.objectives import distance, energy, entropy, loss, stability
from cogir.library.selection import one_hot, one_hot_probability
from cogir.library.signature import Random, State, Static, Step, Value, node_function
from cogir.library.timers import accelerating_timer, asymptotic_timer, decelerating_timer, linear_timer
from cogir.library.transfer import (
    binomial_distort,
    exponential,
    gaussian,
    gaussian_distort,
    hyperspherical_to_cartesian,
    identity,
    linear,
    logistic,
    normalize,
    relu,
    softmax,
    softmax_adaptive,
    tanh,
    transfer_with_costs,
)

__all__ = [
    "Random",
    "State",
    "Static",
    "Step",
    "Value",
    "accelerating_timer",
    "accumulator_integrator",
    "adaptive_integrator",
    "asymptotic_timer",
    "binomial_distort",
    "combine_means",
    "comparator",
    "concatenate",
    "decelerating_timer",
    "distance",
    "drift_diffusion_analytical",
    "drift_diffusion_integrator",
    "dual_adaptive_integrator",
    "energy",
    "entropy",
    "exponential",
    "exponential_dist",
    "fitz_hugh_nagumo_integrator",
    "gaussian",
    "gaussian_distort",
    "hyperspherical_to_cartesian",
    "identity",
    "integrated_linear",
    "integrated_logistic",
    "interactive_activation_integrator",
    "leaky_competing_accumulator",
    "leaky_competing_integrator",
    "linear",
    "linear_combination",
    "linear_timer",
    "logistic",
    "loss",
    "matrix_transform",
    "node_function",
    "normal_dist",
    "normalize",
    "one_hot",
    "one_hot_probability",
    "ornstein_uhlenbeck_integrator",
    "prediction_error_delta",
    "reduce",
    "relu",
    "simple_integrator",
    "softmax",
    "softmax_adaptive",
    "stability",
    "tanh",
    "transfer_with_costs",
    "uniform_dist",
    "wald_dist",
]
