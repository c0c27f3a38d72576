"""
The function library: the field's functions, written once, as plain Python in the compilable subset.

Each runs as Python over NumPy arrays, and compiles. A user's own function is compiled in the same way.
"""

from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.errors import no_attribute
from cogir.library.attractors import hopfield_asynchronous, hopfield_storage, hopfield_synchronous, ring_attractor
from cogir.library.called_directly import check_generators
from cogir.library.choice import epsilon_greedy_choice, softmax_choice
from cogir.library.combination import (
    combine_means,
    comparator,
    concatenate,
    flatten,
    linear_combination,
    matrix_distance,
    matrix_transform,
    matrix_transform_normalized,
    prediction_error_delta,
    rearrange,
    reduce,
)
from cogir.library.ddm import drift_diffusion_analytical, drift_diffusion_moments
from cogir.library.decisions.accumulators import leaky_competing_decision, linear_ballistic_decision, race_decision
from cogir.library.decisions.attention import attentional_decision
from cogir.library.decisions.drift_diffusion import drift_diffusion_decision, full_drift_diffusion_decision
from cogir.library.distributions import (
    exponential_dist,
    gamma_dist,
    normal_dist,
    normal_quantile,
    uniform_dist,
    uniform_to_normal_dist,
    wald_dist,
)
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
from cogir.library.learning import (
    back_propagation,
    contrastive_hebbian,
    hebbian,
    kohonen,
    linear_derivative,
    logistic_derivative,
    reinforcement,
    relu_derivative,
    softmax_derivative,
    td_learning,
)
from cogir.library.losses import (
    binary_cross_entropy,
    cross_entropy,
    mean_squared_error,
    poisson_loss,
    relative_entropy,
    sum_absolute_error,
    sum_squared_error,
)
from cogir.library.mechanisms import integrated_linear, integrated_logistic, leaky_competing_accumulator
from cogir.library.memory import (
    buffer,
    content_addressable_memory,
    dictionary_memory,
    em_storage,
    matrix_memory,
)
from cogir.library.objectives import distance, energy, entropy, loss, stability
from cogir.library.optimizers import adam, gradient_descent
from cogir.library.rate_models import fitz_hugh_nagumo, jansen_rit, wilson_cowan
from cogir.library.selection import one_hot, one_hot_probability, one_hot_random
from cogir.library.signature import NonNegative, Positive, Probability, Random, State, Static, Step, Value, node_function
from cogir.library.softmax import softmax, softmax_adaptive, softmax_masked, softmax_probability
from cogir.library.solvers import euler, euler_maruyama, heun, milstein, rk4
from cogir.library.sphere import drift_on_a_sphere_integrator
from cogir.library.timers import accelerating_timer, asymptotic_timer, decelerating_timer, linear_timer
from cogir.library.transfer import (
    binomial_distort,
    dropout,
    exponential,
    gaussian,
    gaussian_distort,
    hyperspherical_to_cartesian,
    identity,
    linear,
    logistic,
    normalize,
    relu,
    tanh,
    transfer_with_costs,
)
from cogir.library.value_learning import actor_critic, hybrid_pearce_hall, pearce_hall, q_learning, rescorla_wagner, sarsa, td_lambda

__all__ = [
    "NonNegative",
    "Positive",
    "Probability",
    "Random",
    "State",
    "Static",
    "Step",
    "Value",
    "accelerating_timer",
    "accumulator_integrator",
    "actor_critic",
    "adam",
    "adaptive_integrator",
    "asymptotic_timer",
    "attentional_decision",
    "back_propagation",
    "binary_cross_entropy",
    "binomial_distort",
    "buffer",
    "combine_means",
    "comparator",
    "concatenate",
    "content_addressable_memory",
    "contrastive_hebbian",
    "cross_entropy",
    "decelerating_timer",
    "dictionary_memory",
    "distance",
    "drift_diffusion_analytical",
    "drift_diffusion_decision",
    "drift_diffusion_integrator",
    "drift_diffusion_moments",
    "drift_on_a_sphere_integrator",
    "dropout",
    "dual_adaptive_integrator",
    "em_storage",
    "energy",
    "entropy",
    "epsilon_greedy_choice",
    "euler",
    "euler_maruyama",
    "exponential",
    "exponential_dist",
    "fitz_hugh_nagumo",
    "fitz_hugh_nagumo_integrator",
    "flatten",
    "full_drift_diffusion_decision",
    "gamma_dist",
    "gaussian",
    "gaussian_distort",
    "gradient_descent",
    "hebbian",
    "heun",
    "hopfield_asynchronous",
    "hopfield_storage",
    "hopfield_synchronous",
    "hybrid_pearce_hall",
    "hyperspherical_to_cartesian",
    "identity",
    "integrated_linear",
    "integrated_logistic",
    "interactive_activation_integrator",
    "jansen_rit",
    "kohonen",
    "leaky_competing_accumulator",
    "leaky_competing_decision",
    "leaky_competing_integrator",
    "linear",
    "linear_ballistic_decision",
    "linear_combination",
    "linear_derivative",
    "linear_timer",
    "logistic",
    "logistic_derivative",
    "loss",
    "matrix_distance",
    "matrix_memory",
    "matrix_transform",
    "matrix_transform_normalized",
    "mean_squared_error",
    "milstein",
    "node_function",
    "normal_dist",
    "normal_quantile",
    "normalize",
    "one_hot",
    "one_hot_probability",
    "one_hot_random",
    "ornstein_uhlenbeck_integrator",
    "pearce_hall",
    "poisson_loss",
    "prediction_error_delta",
    "q_learning",
    "race_decision",
    "rearrange",
    "reduce",
    "reinforcement",
    "relative_entropy",
    "relu",
    "relu_derivative",
    "rescorla_wagner",
    "ring_attractor",
    "rk4",
    "sarsa",
    "simple_integrator",
    "softmax",
    "softmax_adaptive",
    "softmax_choice",
    "softmax_derivative",
    "softmax_masked",
    "softmax_probability",
    "stability",
    "sum_absolute_error",
    "sum_squared_error",
    "tanh",
    "td_lambda",
    "td_learning",
    "transfer_with_costs",
    "uniform_dist",
    "uniform_to_normal_dist",
    "wald_dist",
    "wilson_cowan",
]

check_generators(globals())


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)


if not TYPE_CHECKING:  # type checkers would take any name for one of the library

    @ends_at_caller
    def __getattr__(name: str) -> object:
        raise no_attribute("cogir.library", name, __all__)
