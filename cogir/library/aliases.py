"""
The names under which models of the field are known, and the functions of the library that compute them.
"""

from __future__ import annotations

from collections.abc import Iterable

from cogir.errors import did_you_mean

DECISION = "drift_diffusion_decision, which goes on to a bound and gives choice and response time, or drift_diffusion_integrator"
COMPETITION = "leaky_competing_decision, which goes on to a threshold and gives choice and response time, or leaky_competing_accumulator"
TRANSFER = "the function itself, such as linear or logistic: a node has a function, and no mechanism around it"

ALIASES = {
    "ddm": DECISION,
    "driftdiffusion": DECISION,
    "driftdiffusionmodel": DECISION,
    "diffusion": DECISION,
    "lca": COMPETITION,
    "leakycompeting": COMPETITION,
    "leakycompetingaccumulatormodel": COMPETITION,
    "race": "race_decision",
    "racemodel": "race_decision",
    "accumulator": "race_decision for accumulators that race, or drift_diffusion_integrator for one",
    "lba": "linear_ballistic_decision",
    "linearballisticaccumulator": "linear_ballistic_decision",
    "addm": "attentional_decision",
    "sigmoid": "logistic",
    "normal": "normal_dist",
    "uniform": "uniform_dist",
    "gamma": "gamma_dist",
    "mse": "mean_squared_error",
    "sgd": "gradient_descent",
    "transfermechanism": TRANSFER,
    "processingmechanism": TRANSFER,
    "mechanism": TRANSFER,
    "hopfield": "hopfield_storage for the matrix, and hopfield_asynchronous or hopfield_synchronous for the network",
}
"""By names in small letters without underscores, what to use."""
TIMES = ("rt", "responsetime", "reactiontime")


def is_alias(name: str) -> bool:
    """True for a name under which a function of the library, or its output, is known."""
    plain = plain_name(name)
    return plain in ALIASES or plain in TIMES


def plain_name(name: str) -> str:
    """The name in small letters without underscores."""
    return name.lower().replace("_", "")


def meant_by(name: str, known: Iterable[str]) -> str:
    """A remedy for a name that the library does not have: `; use logistic`, `; did you mean "softmax"?`, or nothing."""
    plain = plain_name(name)
    names = list(known)
    if plain in TIMES:
        return '; a response time is an output of a decision: node["response_time"] of a node with drift_diffusion_decision'
    if plain in ALIASES:
        return f"; use {ALIASES[plain]}"
    same = next((other for other in names if plain_name(other) == plain), None)
    return did_you_mean(name, names) if same is None else f'; did you mean "{same}"?'
