"""
PsyNeuLink's functions, with PsyNeuLink's meanings of `noise`, `rate` and `decay`, and with its peculiarities.

A function is here if a parameter means something else than in `cogir.library`, if its formula is not that of the literature, or if only
PsyNeuLink defines it. The paragraph "Differs" of each docstring says in what, and which functions of `cogir.library` to use in its place.
"""

import sys
from typing import TYPE_CHECKING

from cogir.callers import ends_at_caller
from cogir.errors import no_attribute
from cogir.library.called_directly import check_generators
from cogir.library.psyneulink.combination import matrix_distance, prediction_error_delta
from cogir.library.psyneulink.ddm import drift_diffusion_analytical, drift_diffusion_moments
from cogir.library.psyneulink.fitz_hugh_nagumo import fitz_hugh_nagumo_integrator
from cogir.library.psyneulink.integrators import (
    accumulator_integrator,
    adaptive_integrator,
    dual_adaptive_integrator,
    interactive_activation_integrator,
    leaky_competing_integrator,
    ornstein_uhlenbeck_integrator,
    simple_integrator,
)
from cogir.library.psyneulink.learning import (
    back_propagation,
    contrastive_hebbian,
    kohonen,
    linear_derivative,
    logistic_derivative,
    reinforcement,
    relu_derivative,
    softmax_derivative,
    td_learning,
)
from cogir.library.psyneulink.mechanisms import integrated_linear, integrated_logistic
from cogir.library.psyneulink.memory import buffer, content_addressable_memory, dictionary_memory, em_storage, matrix_memory
from cogir.library.psyneulink.objectives import distance, energy, entropy, loss, stability
from cogir.library.psyneulink.selection import one_hot, one_hot_probability, one_hot_random
from cogir.library.psyneulink.softmax import softmax, softmax_adaptive, softmax_masked, softmax_probability
from cogir.library.psyneulink.sphere import drift_on_a_sphere_integrator
from cogir.library.psyneulink.timers import accelerating_timer, asymptotic_timer, decelerating_timer, linear_timer
from cogir.library.psyneulink.transfer import binomial_distort, dropout, gaussian, gaussian_distort, tanh, transfer_with_costs

__all__ = [
    "accelerating_timer",
    "accumulator_integrator",
    "adaptive_integrator",
    "asymptotic_timer",
    "back_propagation",
    "binomial_distort",
    "buffer",
    "content_addressable_memory",
    "contrastive_hebbian",
    "decelerating_timer",
    "dictionary_memory",
    "distance",
    "drift_diffusion_analytical",
    "drift_diffusion_moments",
    "drift_on_a_sphere_integrator",
    "dropout",
    "dual_adaptive_integrator",
    "em_storage",
    "energy",
    "entropy",
    "fitz_hugh_nagumo_integrator",
    "gaussian",
    "gaussian_distort",
    "integrated_linear",
    "integrated_logistic",
    "interactive_activation_integrator",
    "kohonen",
    "leaky_competing_integrator",
    "linear_derivative",
    "linear_timer",
    "logistic_derivative",
    "loss",
    "matrix_distance",
    "matrix_memory",
    "one_hot",
    "one_hot_probability",
    "one_hot_random",
    "ornstein_uhlenbeck_integrator",
    "prediction_error_delta",
    "reinforcement",
    "relu_derivative",
    "simple_integrator",
    "softmax",
    "softmax_adaptive",
    "softmax_derivative",
    "softmax_masked",
    "softmax_probability",
    "stability",
    "tanh",
    "td_learning",
    "transfer_with_costs",
]

check_generators(globals())


def differs(name: str) -> str:
    """In what a function differs from the library, by its docstring."""
    paragraphs = (globals()[name].__doc__ or "").split("\n\n")
    (found,) = [text for text in paragraphs if text.strip().startswith("Differs: ")] or ["Differs: see its documentation."]
    return " ".join(found.split()).removeprefix("Differs: ")


def moved(name: str) -> str:
    """The message for a function that is looked for in `cogir.library`."""
    reason = differs(name)
    return f"cogir.library.{name} is a function of PsyNeuLink: use cogir.library.psyneulink.{name}. {reason[0].upper()}{reason[1:]}"


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)


if not TYPE_CHECKING:  # type checkers would take any name for one of the library

    @ends_at_caller
    def __getattr__(name: str) -> object:
        plain = sys.modules.get("cogir.library")  # the package around this one, which imports it
        if name in getattr(plain, "__all__", ()):
            raise AttributeError(f'cogir.library.psyneulink has no "{name}"; use cogir.library.{name}', name=name, obj=None)
        raise no_attribute("cogir.library.psyneulink", name, __all__)
