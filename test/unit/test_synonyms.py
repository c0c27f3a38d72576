"""The names that users guess lead to those that there are."""

from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library.aliases import ALIASES
from cogir.synonyms import GROUPS, synonym


def test_names_of_one_thing() -> None:
    assert synonym("ddm/dt", ["ddm/rate", "ddm/time_step_size"]) == "ddm/time_step_size"
    assert synonym("RT", ["ddm/choice", "ddm/response_time"]) == "ddm/response_time"
    assert synonym("RT", ["choice", "response_time"]) == "response_time"
    assert synonym("other/dt", ["ddm/time_step_size"]) is None
    assert synonym("colour", ["rate"]) is None
    names = [name.lower() for group in GROUPS for name in group]
    assert len(set(names)) == len(names), "a name stands for two things"


def test_aliases_name_functions_of_the_library() -> None:
    for text in ALIASES.values():
        words = text.replace(",", " ").split()
        assert any(word in library.__all__ for word in words), text
        assert all(word in library.__all__ for word in words if "_" in word), text
    assert not any(name in library.__all__ for name in ALIASES)


def model() -> cogir.Model:
    found = cogir.Model("guessed")
    task, hidden = found.node("task", input=2), found.node("hidden", library.logistic, input=2)
    found.node(
        "ddm", library.drift_diffusion_decision, execute_until_finished=True, reset_each_trial=True, max_executions_before_finished=10**5
    )
    found.project(task, hidden, matrix=[[1.0, 2.0], [3.0, 4.0]])
    return found


def node(**options: Any) -> Any:
    return cogir.Model("m").node("x", library.logistic, **options)


def project(**options: Any) -> Any:
    found = cogir.Model("m")
    return found.project(*(found.node(name) for name in "ab"), **options)


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        (lambda: cogir.Model("m").node("x", function=library.logistic), r'the function stands after the name.*m.node\("x", '),
        (lambda: node(function=library.linear), "the function stands after the name, without a keyword"),
        (lambda: node(size=2), 'has no parameter "size"; did you mean "input"'),
        (lambda: node(input_shapes=2), 'has no parameter "input_shapes"; did you mean "input"'),
        (lambda: cogir.Model("m").node("x", size=2), 'found size, but it has no function; did you mean "input"'),
        (lambda: model().add_node("x"), 'has no "add_node"; did you mean "node"'),
        (lambda: model().add_projection("x"), 'has no "add_projection"; did you mean "project"'),
        (lambda: model().add_linear_processing_pathway([]), 'did you mean "project"'),
        (lambda: model().project(sender="task", receiver="hidden"), '"sender" is called "source"'),
        (lambda: model().project("task", receiver="hidden"), '"receiver" is called "target"'),
        (lambda: project(weights=[[1.0]]), 'found weights; did you mean "matrix"'),
        (lambda: project(colour=1.0), "found colour; only a projection with a function has parameters"),
        (lambda: library.DDM, "use drift_diffusion_decision"),
        (lambda: library.lca, "use leaky_competing_decision"),
        (lambda: library.RT, "a response time is an output of a decision"),
        (lambda: library.drift_diffusion, "use drift_diffusion_decision"),
        (lambda: library.ReLU, 'did you mean "relu"'),
        (lambda: cogir.DDM, "functions are in cogir.library; use drift_diffusion_decision"),
        (lambda: cogir.logistic, 'functions are in cogir.library; did you mean "logistic"'),
        (lambda: cogir.Composition, 'did you mean "Model"'),
        (lambda: model()["ddm"]["RT"], 'did you mean "response_time"'),
        (lambda: model()["ddm"].param("rate"), 'did you mean "drift"'),
        (lambda: cogir.Model("m").node("x", library.drift_diffusion_decision, dt=0.1), 'did you mean "time_step_size"'),
    ],
)
def test_guesses_about_models(guess: Any, message: str) -> None:
    with pytest.raises((cogir.ModelError, AttributeError, TypeError), match=message):
        guess()


def test_guesses_about_runs_and_matrices() -> None:
    compiled = model().compile()
    for guess, message in (
        (lambda: compiled.replicates(replicates=10), 'has no option "replicates"; did you mean "count"'),
        (lambda: compiled.sweep({}, count=10), 'has no option "count"; did you mean "replicates"'),
        (lambda: compiled.run(trials=10), 'has no option "trials"; did you mean "num_trials"'),
    ):
        with pytest.raises(TypeError, match=message):
            guess()
    result = compiled.run({"task": [[1.0, 0.0]], "ddm": [[1.0]]})
    for guess, message in (
        (lambda: result["RT"], 'there is no "RT"; did you mean "ddm/response_time"'),
        (lambda: compiled.params["ddm/rate"], 'did you mean "ddm/drift"'),
        (lambda: compiled.params["task->hiden"], 'did you mean "task->hidden"'),
        (lambda: compiled.params["hidden/matrix"], 'matrices are called after their projections; there is "task->hidden"'),
        (lambda: compiled.params["colour"], 'there is "hidden/gain", .*"task->hidden"'),
        (
            lambda: compiled.sweep({"task->hiden": [np.eye(2)]}, start="fresh"),
            'sweep: there is no "task->hiden"; did you mean "task->hidden"',
        ),
        (
            lambda: compiled.sweep({"weights": [np.eye(2)]}, start="fresh"),
            'sweep: .*matrices are called after their projections; there is "task->hidden"',
        ),
    ):
        with pytest.raises(cogir.InputError, match=message):
            guess()


def test_matrices_by_short_names() -> None:
    compiled = model().compile()
    for name in ("task->hidden", "task -> hidden", "task->hidden/matrix"):
        assert compiled.params[name].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    compiled.params["task->hidden"] = np.eye(2)
    inputs = {"task": [[1.0, 0.0]], "ddm": [[1.0]]}
    swept = compiled.sweep({"task->hidden": [np.eye(2), 2.0 * np.eye(2)]}, inputs)
    assert swept["hidden"][0, 0, 0].tolist() == compiled.run(inputs)["hidden"][0].tolist() != swept["hidden"][1, 0, 0].tolist()


def test_a_short_name_that_could_mean_two_projections_means_none() -> None:
    found = cogir.Model("twice")
    a, b = found.node("a", input=2), found.node("b", library.linear, input=2)
    found.project(a, b, matrix=np.eye(2))
    with pytest.warns(cogir.RepeatedWarning):
        found.project(a, b, matrix=np.eye(2))
    with pytest.raises(cogir.InputError, match=r'there is no "a->b"; .*"a:value->b:variable/matrix"'):
        found.compile().params["a->b"]
