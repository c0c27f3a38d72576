"""Elements of arrays by name: in parameters and states, and in sweeps, where they are the same as whole arrays with one other number."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from support.long import long_but

import cogir
from cogir import library
from cogir.library import State, Step
from cogir.runtime.elements import split


def network() -> cogir.Model:
    """Two inputs, a matrix, an array as a parameter, an array as a state, and an input of rank 2."""
    m = cogir.Model("network")
    stimulus = m.node("stimulus", library.linear, input=2)
    out = m.node("out", library.linear, input=2)
    m.project(stimulus, out, matrix=[[1.0, -1.0], [0.5, 2.0]])

    def scaled(x, weights=np.array([1.0, 2.0, 3.0])):
        return x.sum() * weights

    m.node("scaled", scaled, input=(2, 2))

    def remembers(x, memory: State = np.zeros(2)):
        memory = memory + x
        return Step(outputs=memory, states=memory)

    m.node("memory", remembers, input=2)
    return m


INPUTS: dict[str, Any] = {
    "stimulus": [[1.0, 3.0], [2.0, -1.0]],
    "scaled": np.arange(8.0).reshape(2, 2, 2),
    "memory": [[1.0, 1.0], [2.0, 0.5]],
}
ARRAYS = {"stimulus->out": (2, 2), "scaled/weights": (3,), "memory/initial:state:memory": (2,)}
MODEL = network()


def refused(message: str) -> Any:
    return pytest.raises(cogir.InputError, match=re.escape(message))


@pytest.mark.parametrize("name", ARRAYS)
def test_an_element_is_read_and_set(name: str) -> None:
    params = MODEL.compile().params
    for index in product(*map(range, ARRAYS[name])):
        element = f"{name}[{','.join(map(str, index))}]"
        before = params[name]
        assert params[element] == before[index]
        assert type(params[element]) is float
        params[element] = 7.0
        before[index] = 7.0
        assert np.array_equal(params[name], before)
        assert element in params


def test_an_element_of_a_state_is_read_and_set() -> None:
    compiled = MODEL.compile()
    compiled.run(INPUTS)
    assert compiled.state["memory/memory[1]"] == 1.5
    compiled.state["memory/memory[1]"] = 4.0
    assert compiled.state["memory/memory"].tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "stimulus->out[2,0]",
            'has the shape (2, 2); there is no element 2, 0; give one from "stimulus->out[0,0]" to "stimulus->out[1,1]"',
        ),
        ("stimulus->out[0]", "has the shape (2, 2); there is no element 0; give one from"),
        ("scaled/weights[-1]", 'there is no element -1; give one from "scaled/weights[0]" to "scaled/weights[2]"'),
        ("stimulus/slope[0]", 'has the shape (); there is no element 0; give "stimulus/slope", which is one number'),
        ("scaled/wieghts[0]", 'there is no "scaled/wieghts[0]"'),
    ],
)
def test_an_index_that_an_array_does_not_have(name: str, told: str) -> None:
    compiled = MODEL.compile()
    for ask in (
        lambda: compiled.params[name],
        lambda: compiled.params.update({name: 1.0}),
        lambda: compiled.sweep({name: [1.0]}, INPUTS),
        lambda: compiled.sweep(cogir.zipped({name: [1.0]}), INPUTS),
    ):
        with refused(told):
            ask()
    assert name not in compiled.params


def test_an_index_that_an_input_does_not_have() -> None:
    with refused('sweep: "scaled[2,0]": input "scaled" has the shape (2, 2); there is no element 2, 0; give one from "scaled[0,0]" to'):
        MODEL.compile().sweep({"scaled[2,0]": [1.0]}, INPUTS)


def test_an_element_and_its_array_are_given_twice() -> None:
    compiled = MODEL.compile()
    with refused("sweep: scaled/param:weights is given twice, as 'scaled/weights[0]' and as 'scaled/weights'; give it once"):
        compiled.sweep({"scaled/weights[0]": [1.0], "scaled/weights": np.ones((1, 3))}, INPUTS)
    with refused("the value is given twice, as 'scaled/weights[0]' and as 'scaled/weights'; give it once"):
        compiled.params.update({"scaled/weights[0]": 1.0, "scaled/weights": np.ones(3)})
    with refused("sweep: in:scaled/x is given twice, as 'scaled[0,1]' and as 'scaled'; give it once"):
        compiled.sweep({"scaled[0,1]": [1.0], "scaled": np.ones((1, 2, 2))}, INPUTS)


def test_the_range_of_an_element_is_that_of_its_array() -> None:
    def scaled(x, weights: cogir.NonNegative = np.ones(2)):
        return x * weights

    m = cogir.Model("m")
    m.node("n", scaled, input=2)
    with refused("parameter n/param:weights: found -1.0;"):
        m.compile().params["n/weights[1]"] = -1.0
    with refused("sweep: parameter n/param:weights: found -1.0 among the values;"):
        m.compile().sweep({"n/weights[1]": [-1.0]}, {"n": [[1.0, 1.0]]})


@pytest.mark.parametrize("mode", ["run", "python"])
@pytest.mark.parametrize("seed", long_but(range(12), range(2)))
def test_a_sweep_of_elements_is_that_of_their_arrays(mode: Any, seed: int) -> None:
    """Some elements of parameters, initial values and inputs, each along an axis or side by side, against single runs with whole arrays."""
    rng = np.random.default_rng(seed)
    compiled = MODEL.compile(mode=mode)
    shapes = ARRAYS | {"stimulus": (2,), "scaled": (2, 2)}
    chosen: dict[str, Any] = {}
    for name in rng.permutation(list(shapes))[:3].tolist():
        places = [tuple(place) for place in rng.permutation(list(product(*map(range, shapes[name]))))[:2].tolist()]
        chosen |= {f"{name}[{','.join(map(str, place))}]": rng.normal(size=2) for place in places}
    if seed % 2:
        found = compiled.sweep(cogir.zipped(chosen), INPUTS)
        points = [tuple(values[place] for values in chosen.values()) for place in range(2)]
    else:
        chosen = dict(list(chosen.items())[:4])
        found = compiled.sweep(chosen, INPUTS)
        points = list(product(*chosen.values()))
    for output in ("out", "scaled", "memory"):
        got = found[output].reshape(len(points), 2, -1)
        for number, point in enumerate(points):
            single, inputs = MODEL.compile(mode=mode), {name: np.array(values, float) for name, values in INPUTS.items()}
            for element, value in zip(chosen, point, strict=True):
                whole, index = split(element)
                if whole in inputs:
                    inputs[whole][(slice(None), *index)] = value
                else:
                    array = single.params[whole]
                    array[index] = value
                    single.params[whole] = array
            assert np.array_equal(got[number], single.run(inputs)[output].reshape(2, -1))


def test_a_swept_element_is_a_coordinate() -> None:
    pytest.importorskip("xarray")
    found = MODEL.compile().sweep({"stimulus->out[0,1]": [1.0, 2.0], "scaled[1,0]": [3.0]}, INPUTS).to_xarray()
    assert found["stimulus->out[0,1]"].values.tolist() == [1.0, 2.0]


def test_inputs_of_an_element_may_differ_from_trial_to_trial() -> None:
    found = MODEL.compile().sweep({"stimulus[1]": [[1.0, 2.0], [3.0, 4.0]]}, INPUTS)
    for place, column in enumerate(([1.0, 2.0], [3.0, 4.0])):
        inputs = INPUTS | {"stimulus": np.stack([np.array(INPUTS["stimulus"])[:, 0], column], axis=1)}
        assert np.array_equal(found["out"][place, 0], MODEL.compile().run(inputs)["out"])


def test_a_specialised_version_keeps_the_array_of_an_element() -> None:
    compiled = MODEL.compile(mode="run")
    compiled.specialise(keep=["scaled/weights[1]"])
    compiled.params["scaled/weights[1]"] = 5.0
    assert compiled.run(INPUTS)["scaled"][0].tolist() == [6.0, 30.0, 18.0]


def test_another_element_is_another_sweep_of_a_store(tmp_path: Any) -> None:
    pytest.importorskip("zarr")
    compiled = MODEL.compile(mode="run")
    path = tmp_path / "s.zarr"
    compiled.sweep({"scaled/weights[0]": [1.0, 2.0]}, INPUTS, store=path)
    with pytest.raises(cogir.CogirError):
        compiled.sweep({"scaled/weights[1]": [1.0, 2.0]}, INPUTS, store=path)
