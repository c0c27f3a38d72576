"""
The resolved view of a model, for analyses and passes. It is defined beside the interpreter, which needs it as well:
see `cogir.interpreters.model_graph` for what every part means.
"""

from cogir.interpreters.model_graph import (
    Executable,
    External,
    InputPort,
    ModelGraph,
    Modulator,
    Modulators,
    OutputPort,
    Port,
    Projection,
    Sender,
    effects_inside,
    main_model,
    resolve,
)

__all__ = [
    "Executable",
    "External",
    "InputPort",
    "ModelGraph",
    "Modulator",
    "Modulators",
    "OutputPort",
    "Port",
    "Projection",
    "Sender",
    "effects_inside",
    "main_model",
    "resolve",
]
