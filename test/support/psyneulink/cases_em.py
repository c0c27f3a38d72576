"""
Cases: EMCompositions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from support.psyneulink.cases import Case

import psyneulink as pnl

TEMPLATE = [[[1.0, 0.1, 0.2], [2.0, 3.0]], [[0.4, 0.2, 0.1], [1.0, 4.0]], [[0.1, 0.3, 1.0], [5.0, 6.0]]]
"""Three entries of two fields."""


def em(template: Any = TEMPLATE, refused: str | None = None, **settings: Any) -> Case:
    """An EMComposition, of a key and a value unless `settings` say otherwise."""
    given = {"field_weights": [1.0, None], "enable_learning": False, "memory_decay_rate": 0.1, "name": "em"} | settings
    return Case(lambda: pnl.EMComposition(memory_template=template, **given), refused=refused)


def two_keys(**settings: Any) -> Case:
    """An EMComposition of two keys."""
    return em(field_weights=[0.75, 0.25], **settings)


def nested() -> Any:
    """An EMComposition between two Mechanisms."""
    memory = pnl.EMComposition(memory_template=TEMPLATE, field_weights=[1.0, None], enable_learning=False, name="em")
    key, value = pnl.TransferMechanism(name="key", input_shapes=3), pnl.TransferMechanism(name="value", input_shapes=2)
    after = pnl.TransferMechanism(name="after", input_shapes=2, function=pnl.Linear(slope=0.5))
    outer = pnl.Composition(nodes=[key, value, memory, after], name="outer")
    outer.add_projection(sender=key, receiver=memory.query_input_nodes[0])
    outer.add_projection(sender=value, receiver=memory.value_input_nodes[0])
    outer.add_projection(sender=memory.retrieved_nodes[1], receiver=after)
    return outer


CASES: dict[str, Case] = {
    "em": em(),
    "em learning enabled": em(enable_learning=True),
    "em two keys": two_keys(),
    "em two keys, one of weight zero": em(field_weights=[1.0, 0.0]),
    "em weights as they are": two_keys(normalize_field_weights=False),
    "em concatenated": two_keys(concatenate_queries=True),
    "em without normalization": two_keys(normalize_memories=False),
    "em scalar field": em([[[1.0], [2.0, 3.0]], [[0.4], [1.0, 4.0]], [[0.1], [5.0, 6.0]]]),
    "em scalar fields": em([[[1.0], [2.0]], [[0.4], [1.0]], [[0.1], [5.0]]], field_weights=[0.5, 0.5]),
    "em largest score": em(softmax_choice=pnl.ARG_MAX),
    "em soft gain": two_keys(softmax_gain=4.0),
    "em adaptive gain": two_keys(softmax_gain=pnl.ADAPTIVE),
    "em controlled gain": two_keys(softmax_gain=pnl.CONTROL),
    "em without threshold": em(softmax_threshold=None),
    "em stores by chance": two_keys(storage_prob=0.5),
    "em without decay": em(memory_decay_rate=0),
    "em decay by capacity": em(memory_decay_rate=pnl.AUTO),
    "em of one entry": em((1, 2, 3), memory_fill=0.1),
    "em empty entries": em(memory_capacity=5),
    "em filled at random": em((4, 2, 3), memory_fill=(0.1, 1.0)),
    "em nested": Case(nested),
    "em drawn by score": em(softmax_choice=pnl.PROBABILISTIC, refused="draws from a generator that PsyNeuLink does not keep"),
}


def gru(bias: bool) -> Case:
    """A network of gated recurrent units."""

    def build() -> Any:
        np.random.seed(1)
        return pnl.GRUComposition(name="gru", input_size=3, hidden_size=2, bias=bias)

    return Case(build)


GRUS = {"gru": gru(bias=True), "gru without biases": gru(bias=False)}
CASES |= GRUS

GROUPS = {"EMCompositions": {name: case for name, case in CASES.items() if name not in GRUS}, "GRUCompositions": GRUS}
"""The cases by subject."""
