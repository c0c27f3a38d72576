"""
The function library: the field's functions, written once, as plain Python in the compilable subset.

Each runs as Python over NumPy arrays, and compiles. A user's own function is compiled in the same way.
"""

from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.library import psyneulink
from cogir.library.aliases import meant_by
from cogir.library.attractors import hopfield_asynchronous, hopfield_storage, hopfield_synchronous, noisy_ring_attractor, ring_attractor
from cogir.library.called_directly import check_generators
from cogir.library.choice import epsilon_greedy_choice, softmax_choice
from cogir.library.combination import (
    combine_means,
    comparator,
    concatenate,
    flatten,
    linear_combination,
    matrix_transform,
    matrix_transform_normalized,
    rearrange,
    reduce,
)
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
from cogir.library.integrators import drift_diffusion_integrator
from cogir.library.learning import hebbian
from cogir.library.losses import (
    binary_cross_entropy,
    cross_entropy,
    mean_squared_error,
    poisson_loss,
    relative_entropy,
    sum_absolute_error,
    sum_squared_error,
)
from cogir.library.mechanisms import leaky_competing_accumulator
from cogir.library.optimizers import adam, gradient_descent
from cogir.library.rate_models import fitz_hugh_nagumo, jansen_rit, wilson_cowan
from cogir.library.signature import NonNegative, Positive, Probability, Random, State, Static, Step, Value, node_function
from cogir.library.softmax import softmax
from cogir.library.solvers import euler, euler_maruyama, heun, milstein, rk4
from cogir.library.transfer import exponential, hyperspherical_to_cartesian, identity, linear, logistic, normalize, relu, tanh
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
    "actor_critic",
    "adam",
    "attentional_decision",
    "binary_cross_entropy",
    "combine_means",
    "comparator",
    "concatenate",
    "cross_entropy",
    "drift_diffusion_decision",
    "drift_diffusion_integrator",
    "epsilon_greedy_choice",
    "euler",
    "euler_maruyama",
    "exponential",
    "exponential_dist",
    "fitz_hugh_nagumo",
    "flatten",
    "full_drift_diffusion_decision",
    "gamma_dist",
    "gradient_descent",
    "hebbian",
    "heun",
    "hopfield_asynchronous",
    "hopfield_storage",
    "hopfield_synchronous",
    "hybrid_pearce_hall",
    "hyperspherical_to_cartesian",
    "identity",
    "jansen_rit",
    "leaky_competing_accumulator",
    "leaky_competing_decision",
    "linear",
    "linear_ballistic_decision",
    "linear_combination",
    "logistic",
    "matrix_transform",
    "matrix_transform_normalized",
    "mean_squared_error",
    "milstein",
    "node_function",
    "noisy_ring_attractor",
    "normal_dist",
    "normal_quantile",
    "normalize",
    "pearce_hall",
    "poisson_loss",
    "psyneulink",
    "q_learning",
    "race_decision",
    "rearrange",
    "reduce",
    "relative_entropy",
    "relu",
    "rescorla_wagner",
    "ring_attractor",
    "rk4",
    "sarsa",
    "softmax",
    "softmax_choice",
    "sum_absolute_error",
    "sum_squared_error",
    "tanh",
    "td_lambda",
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
        if name in psyneulink.__all__:
            raise AttributeError(psyneulink.moved(name), name=name, obj=None)
        raise AttributeError(f'cogir.library has no "{name}"{meant_by(name, [*__all__, *psyneulink.__all__])}', name=name, obj=None)
