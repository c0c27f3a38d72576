"""Senders, modulators, dependencies and layers, against networkx and toposort where they know the answer."""

from random import Random
from typing import Any

import networkx
import pytest
import toposort

from cogir.dialects import cog
from cogir.dialects.cog import Modulation
from cogir.dialects.text import parse_text
from cogir.errors import ModelError
from cogir.model.graph import External, ModelGraph, Port, Projection, resolve
from cogir.model.layers import layers_of

NODE = "cog.node @{0} (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {{\n cog.yield %x\n }}\n"


def graph(*parts: str, nodes: str = "", module: str = "") -> ModelGraph:
    """The resolved view of a model with plain nodes of these names (one letter each) and these operations."""
    text = "\n".join([*(NODE.format(name) for name in nodes), *parts])
    parsed = parse_text(f"{module}\ncog.model @m {{\n{text}\n}}")
    return resolve(next(op for op in parsed.body.block.ops if isinstance(op, cog.ModelOp) and op.sym_name.data == "m"))


def test_senders_stand_in_the_order_of_the_text() -> None:
    found = graph("cog.project @a -> @c", "cog.input @c", "cog.project @p @b -> @c", "cog.project @a -> @c", "cog.output @c", nodes="abc")
    (port,) = found["c"].inputs
    assert [type(sender) for sender in port.senders] == [Projection, External, Projection, Projection]
    assert [projection.name for projection in found["c"].projections] == ["a:value->c:x", "p", "a:value->c:x#1"]
    assert found.inputs == (Port("c", "x"),)
    assert found.outputs == (Port("c", "value"),)


def test_modulators_are_found_by_parameter() -> None:
    found = graph(
        'cog.modulate @a -> @b["gain"] add',
        'cog.modulate @c -> @b["gain"] multiply',
        'cog.modulate @a -> @p["rate"] override',
        "cog.project @p @a -> @b (%v: f64) params(%rate: f64 = 2.0) {\n cog.yield %v\n }",
        nodes="abc",
    )
    assert [(m.source, m.mode) for m in found["b"].modulations["gain"]] == [
        (Port("a", "value"), Modulation.ADD),
        (Port("c", "value"), Modulation.MULTIPLY),
    ]
    assert [m.mode for m in found["b"].projections[0].modulations["rate"]] == [Modulation.OVERRIDE]


INNER = "cog.model @inner {\n" + NODE.format("n") + "cog.input @n\ncog.output @n\n}"


def test_an_instance_has_the_ports_of_its_model() -> None:
    found = graph(
        "cog.instance @i of @inner",
        'cog.project @a -> @i["n"]',
        'cog.project @i["n/value"] -> @b',
        'cog.modulate @a -> @i["n/gain"] multiply',
        nodes="ab",
        module=INNER,
    )
    assert [port.name for port in found["i"].inputs] == ["n/x"]
    assert [port.name for port in found["i"].outputs] == ["n/value"]
    assert found["b"].projections[0].source == Port("i", "n/value")
    assert set(found["i"].modulations) == {"n/gain"}
    assert found.layers == (("a",), ("i",), ("b",))


# ------------------------------------------------------------------------------------------------------------------- order


def test_feedback_and_projections_to_oneself_do_not_count() -> None:
    found = graph("cog.project @a -> @b", "cog.project @b -> @a feedback", "cog.project @a -> @a", nodes="ab")
    assert found.dependencies == {"a": (), "b": ("a",)}


def test_a_cycle_forms_one_layer_and_waits_for_what_any_of_it_waits_for() -> None:
    found = graph(
        "cog.project @a -> @b",
        "cog.project @b -> @c",
        "cog.project @c -> @b",
        "cog.project @d -> @c",
        "cog.project @c -> @e",
        nodes="abcde",
    )
    assert found.dependencies == {"a": (), "b": ("a", "d"), "c": ("a", "d"), "d": (), "e": ("c",)}
    assert found.layers == (("a", "d"), ("b", "c"), ("e",))


def test_a_modulation_counts_unless_it_closes_a_cycle() -> None:
    forward = graph('cog.modulate @a -> @b["gain"] multiply', nodes="ba")
    assert forward.layers == (("a",), ("b",))
    backward = graph("cog.project @a -> @b", 'cog.modulate @b -> @a["gain"] multiply', nodes="ab")
    assert backward.layers == (("a",), ("b",))
    of_projection = graph(
        "cog.project @p @a -> @c (%v: f64) params(%rate: f64 = 2.0) {\n cog.yield %v\n }", 'cog.modulate @b -> @p["rate"] add', nodes="cba"
    )
    assert of_projection.dependencies["c"] == ("b", "a")


def test_controllers_do_not_count() -> None:
    found = graph(
        'cog.modulate @k["s"] -> @a["gain"] multiply',
        "cog.grid_search @k after maximize @b {\n cog.signal @s levels [1.0] initial 1.0\n }",
        "cog.project @a -> @b",
        nodes="ab",
    )
    assert found.dependencies == {"a": (), "b": ("a",)}


def test_layers_of_a_schedule_are_taken_as_they_are() -> None:
    found = graph("cog.project @a -> @b", "cog.schedule layers [[@b], [@a]] {\n}", nodes="ab")
    assert found.layers == (("b",), ("a",))


def test_random_graphs_have_the_cycles_of_networkx_and_the_layers_of_toposort() -> None:
    random = Random(4)
    for _ in range(60):
        names = "abcdefgh"[: random.randint(1, 8)]
        edges = {(random.choice(names), random.choice(names)) for _ in range(random.randint(0, 14))}
        found = graph(*(f"cog.project @{source} -> @{target}" for source, target in sorted(edges)), nodes=names)
        theirs: Any = networkx.DiGraph([edge for edge in edges if edge[0] != edge[1]])
        theirs.add_nodes_from(names)
        expected = {name: {source for source, target in edges if target == name and source != name} for name in names}
        for component in networkx.strongly_connected_components(theirs):
            if len(component) > 1:
                outside = set().union(*(expected[name] for name in component)) - component
                expected |= {name: set(outside) for name in component}
        assert {name: set(before) for name, before in found.dependencies.items()} == expected
        assert [set(layer) for layer in found.layers] == list(toposort.toposort(expected))


def test_nodes_that_wait_for_each_other_have_no_layers() -> None:
    with pytest.raises(
        ModelError, match="the nodes @a, @b depend on each other in a cycle; make one projection of the cycle a feedback projection"
    ):
        layers_of({"a": ("b",), "b": ("a",), "c": ()})


# ------------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("cog.project @a -> @z", "cog.project: the model has no @z; it has 'a', 'b'"),
        ('cog.project @a["v"] -> @b', "@a has no output port 'v'; name one of 'value'"),
        ('cog.input @a["y"]', "@a has no input port 'y'; name one of 'x'"),
        ('cog.modulate @a -> @b["rate"] add', "@b has no parameter 'rate'; it has 'gain'"),
        ("cog.instance @i of @nothing", "there is no cog.model @nothing in the module"),
        ("cog.instance @i of @m", "cog.model @m contains an instance of itself"),
    ],
)
def test_names_that_lead_nowhere(part: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        graph(part, nodes="ab")
