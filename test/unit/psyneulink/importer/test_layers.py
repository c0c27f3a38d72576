"""The importer knows, without any IR, in which layers a model's nodes are considered: as the resolved view of the model has them."""

from random import Random

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir
from cogir import library
from cogir.model.graph import main_model, resolve
from cogir.psyneulink import accelerate
from cogir.psyneulink.importer.composition import considered
from cogir.psyneulink.reader import UnsupportedFeature


def in_its_module(model):
    """The layers of the resolved view."""
    return [list(layer) for layer in resolve(main_model(model.ir(), model.name)).layers]


def random_model(random):
    """A few nodes with projections, some of them feedback, some with a function and a name, and modulations of nodes and projections."""
    model = cogir.Model("m")
    model.warns = False  # several projections and modulations between the same ends are meant
    nodes = [model.node(f"n{index}", library.linear, input=1) for index in range(random.randint(2, 6))]
    named = []
    for index in range(random.randint(0, 9)):
        source, target = random.choice(nodes), random.choice(nodes)
        if random.random() < 0.3:
            named.append(model.project(source, target, function=library.linear, name=f"p{index}", feedback=random.random() < 0.2))
        else:
            model.project(source, target, feedback=random.random() < 0.2)
    for _ in range(random.randint(0, 3)):
        target = random.choice([*nodes, *named])
        model.modulate(random.choice(nodes), target.param("slope"), "multiply")
    model.input(nodes[0])
    model.output(nodes[-1])
    return model


@pytest.mark.parametrize("seed", range(12))
def test_layers_of_a_builder_are_those_of_its_module(seed):
    model = random_model(Random(seed))
    assert considered(model) == in_its_module(model)


def test_a_node_after_a_nested_composition_is_psyneulinks():
    fresh()
    inner, after = pnl.Composition([pnl.TransferMechanism(name="within")], name="inner"), pnl.TransferMechanism(name="after")
    composition = pnl.Composition(nodes=[inner, after], name="outer")
    composition.scheduler.add_condition(after, pnl.AfterNode(inner))
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=r"considered in the order \[\['inner'\], \['after'\]\]"):
        composition.run({inner: [[[1.0]]], after: [[2.0]]})
