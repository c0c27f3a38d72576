"""The pictures: which one is the usual one, what stands at its axes, and what cannot be drawn."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.labelled.dataset import Axis, Dataset, Variable
from cogir.labelled.loaded import Loaded

matplotlib = pytest.importorskip("matplotlib")
REPLICATE, TRIAL = Axis("replicate", 200), Axis("trial", 1)


@pytest.fixture(autouse=True)
def no_windows() -> Iterator[None]:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def decisions(**ports: Any) -> Loaded:
    """Response times of 200 replicates, of which the first ten were cut off."""
    shared = (REPLICATE, TRIAL)
    times = np.random.default_rng(1).gamma(4.0, 0.2, (200, 1))
    variables = {"decision/response_time": Variable(times, shared, "s")}
    variables |= {f"decision/{port}": Variable(np.asarray(values).reshape(200, 1), shared) for port, values in ports.items()}
    flag = (np.arange(200) < 10).reshape(200, 1)
    return Loaded(Dataset("replicates", shared, variables, {"unfinished:decision": Variable(flag, shared)}))


def swept(*sizes: int, unit: str | None = "s") -> Loaded:
    """A sweep of some parameters, with 20 replicates at each point."""
    axes = [Axis(f"a/p{i}", size, {f"a/p{i}": np.linspace(1.0, 2.0, size)}, {"a/p0": "Hz"}) for i, size in enumerate(sizes)]
    shared = (*axes, Axis("replicate", 20))
    values = np.arange(np.prod([*sizes, 20], dtype=int)).reshape(*sizes, 20).astype(np.float64)
    return Loaded(Dataset("sweep", shared, {"a/value": Variable(values, shared, unit)}))


def labels(axes: Any) -> tuple[str, str]:
    return axes.get_xlabel(), axes.get_ylabel()


def test_response_times_by_choice() -> None:
    axes = decisions(choice=np.where(np.arange(200) % 4 == 0, -1.0, 1.0)).plot()
    assert labels(axes) == ("decision/response_time (s)", "trials per bin")
    assert axes.get_title() == "200 trials, 5.0 % undecided"
    texts = [text.get_text().partition(",")[0] for text in axes.get_legend().get_texts()]
    assert texts == ["choice 1: 75.3 %", "choice -1: 24.7 %"]
    up, down = (patch.get_data().values for patch in axes.patches)
    assert (up.sum(), down.sum()) == (143, -47)


def test_without_a_choice_the_sign_of_the_value_counts_and_many_choices_are_outlined() -> None:
    axes = decisions(value=np.where(np.arange(200) < 100, -0.5, 2.0)).plot()
    assert [text.get_text().partition(":")[0] for text in axes.get_legend().get_texts()] == ["value > 0", "value < 0"]
    three = decisions(choice=np.arange(200) % 3).plot()
    assert len(three.patches) == 3
    assert not any(patch.get_fill() for patch in three.patches)
    both = decisions(choice=np.arange(200) % 3 - 1.0).plot()
    assert both.get_title() == f"200 trials, {(10 + np.count_nonzero(np.arange(10, 200) % 3 == 1)) / 2:.1f} % undecided"


def test_a_response_time_alone_is_a_histogram() -> None:
    axes = decisions().plot()
    assert (axes.get_title(), labels(axes)[0]) == ("200 trials, 5.0 % unfinished", "decision/response_time (s)")


def test_whole_numbers_are_bars() -> None:
    axes = decisions(choice=np.arange(200) % 2).plot("decision/choice", kind="histogram")
    assert (labels(axes), [patch.get_height() for patch in axes.patches]) == (("decision/choice", "trials"), [100, 100])


def test_trajectories_have_labels_and_units() -> None:
    trial, side = Axis("trial", 30), Axis("lca", 2, {"lca": np.array(["left", "right"])})
    values = np.arange(60.0).reshape(30, 2)
    result = Loaded(Dataset("result", (trial,), {"lca/value": Variable(values, (trial, side), "Hz")}))
    axes = result.plot()
    assert labels(axes) == ("trial", "lca/value (Hz)")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["left", "right"]
    np.testing.assert_array_equal(axes.lines[1].get_ydata(), values[:, 1])
    one = result.plot("lca[right]")
    assert (labels(one)[1], len(one.lines)) == ("lca/value[right] (Hz)", 1)


def test_trajectories_of_replicates_are_their_mean_and_leave_out_trials_that_were_not() -> None:
    shared = (Axis("replicate", 3), Axis("trial", 2))
    values = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 100.0]])
    lengths = Variable(np.array([2, 2, 1]), shared[:1])
    axes = Loaded(Dataset("replicates", shared, {"a/value": Variable(values, shared)}, {"lengths": lengths})).plot()
    assert axes.lines[0].get_ydata().tolist() == [3.0, 4.0]
    assert axes.get_title() == "3 replicates: mean, 10th to 90th percentile"


def test_a_sweep_is_a_line_or_a_map() -> None:
    line = swept(4).plot()
    assert labels(line) == ("a/p0 (Hz)", "a/value (s)")
    assert line.lines[0].get_ydata().tolist() == [9.5, 29.5, 49.5, 69.5]
    heat = swept(4, 3).plot()
    assert labels(heat) == ("a/p1", "a/p0 (Hz)")
    assert heat.collections[0].get_array().shape == (4, 3)
    assert heat.figure.axes[1].get_ylabel() == "a/value (s)"


def test_texts_along_a_swept_axis_are_ticks() -> None:
    axis = Axis("a/rule", 2, {"a/rule": np.array(["slow", "fast"])})
    axes = Loaded(Dataset("sweep", (axis,), {"a/value": Variable(np.array([1.0, 2.0]), (axis,))})).plot()
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["slow", "fast"]
    assert labels(axes)[0] == "a/rule"


def coordinates_along_x(**coordinates: Any) -> tuple[str, list[str], list[float]]:
    """The name of the x axis, its ticks, and the numbers along it, for a sweep of 20 points."""
    axis = Axis("point", 20, {name: np.asarray(marks) for name, marks in coordinates.items()})
    axes = Loaded(Dataset("sweep", (axis,), {"a/value": Variable(np.arange(20.0), (axis,))})).plot()
    return axes.get_xlabel(), [tick.get_text() for tick in axes.get_xticklabels()], axes.lines[0].get_xdata().tolist()


def test_along_an_axis_without_a_coordinate_of_its_own_stand_labels_or_what_varies() -> None:
    values = np.linspace(0.0, 1.9, 20)
    assert coordinates_along_x(left=values, right=np.ones(20))[::2] == ("left", values.tolist())
    name, ticks, numbers = coordinates_along_x(left=values, right=1.0 / (1.0 + values))
    assert (name, ticks[:2], numbers) == ("left, right", ["0, 1", "0.3, 0.7692"], [float(place) for place in range(20)])
    labels = [f"condition {place}" for place in range(20)]
    assert coordinates_along_x(left=values, called=labels)[:2] == ("called", labels)
    assert coordinates_along_x()[0] == "point"


def test_a_statistic_without_the_trials_has_no_interval_over_them() -> None:
    axis, trial, quantile = Axis("a/p0", 4, {"a/p0": np.arange(4.0)}), Axis("trial", 3), Axis("q.axis0", 3)
    single = Variable(np.arange(4.0), (axis,))
    several = Variable(np.arange(12.0).reshape(4, 3), (axis, quantile))
    per_trial = Variable(np.arange(12.0).reshape(4, 3), (axis, trial))
    data = Loaded(Dataset("sweep", (axis, trial), {"f": single, "q": several, "m": per_trial}))
    assert data.plot("f").lines[0].get_ydata().tolist() == [0.0, 1.0, 2.0, 3.0]
    axes = data.plot("q")
    assert [line.get_ydata().tolist() for line in axes.lines] == several.values.T.tolist()
    assert (axes.get_title(), len(axes.collections)) == ("", 0)
    assert (data.plot("m").get_title(), len(data.plot("q[2]").lines)) == ("mean, 95 % interval", 1)


def test_titles_say_what_part_of_the_trials_is_unfinished() -> None:
    assert decisions().plot().get_title() == "200 trials, 5.0 % unfinished"
    axis, trial = Axis("a/p0", 2, {"a/p0": np.arange(2.0)}), Axis("trial", 2)
    shares = {
        "unfinished:a": Variable(np.array([[0.5, 0.0], [0.0, 0.25]]), (axis, trial)),
        "unfinished:b": Variable(np.array([[1.0, 0.0], [0.0, 0.0]]), (axis, trial)),
        "replicates": Variable(np.full((2, 2), 8), (axis, trial)),
    }
    values = Variable(np.zeros((2, 2)), (axis, trial))
    reduced = Loaded(Dataset("sweep", (axis, trial), {"a/value/mean": values, "accuracy": values}, shares))
    assert reduced.plot("a/value/mean").get_title() == "mean, 95 % interval, 18.8 % unfinished"
    assert reduced.plot("accuracy").get_title() == "mean, 95 % interval, 18.8 % unfinished (a), 25.0 % unfinished (b)"
    plain = {"unfinished:a": Variable(np.zeros((2, 2), np.bool_), (axis, trial))}
    assert Loaded(Dataset("sweep", (axis, trial), {"a/value": values}, plain)).plot().get_title() == "mean, 95 % interval"


def test_axes_of_ones_own_are_drawn_in() -> None:
    from matplotlib import pyplot

    _, (first, second) = pyplot.subplots(1, 2)
    assert swept(4).plot(axes=second) is second
    assert (len(first.lines), len(second.lines)) == (0, 1)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: swept(2, 2, 2).plot(), r'plot: the data has 3 swept axes \("a/p0", "a/p1", "a/p2"\), and a picture two at most'),
        (lambda: swept(4).plot(kind="lines"), r"plot: kind is 'lines'; did you mean \"line\"\?"),
        (lambda: swept(4).plot(kind=3), "plot: kind is 3; give one of response_times, trajectories, histogram, line, map, curve"),
        (lambda: swept(4).plot(kind="map"), "plot: a map is over two swept parameters; this data has 1"),
        (lambda: swept(4, 4).plot(kind="line"), "plot: a line is over one swept parameter; this data has 2"),
        (lambda: swept(4).plot(kind="trajectories"), "plot: trajectories are over trials"),
        (lambda: swept(4).plot(kind="curve"), "plot: a learning curve is of what a model has learned; this is a sweep"),
        (lambda: swept(4).plot(kind="response_times"), 'plot: "a/value" is no response time with a choice beside it'),
        (lambda: swept(4).plot("b"), 'plot: there is no "b"; there is "a", "a/value"'),
        (lambda: swept(4).plot("a[0]"), r'plot: there is no "a/value\[0\]"'),
        (lambda: swept(4).plot(axes="here"), "plot: axes is 'here'; give matplotlib axes"),
        (lambda: swept(0).plot(), 'plot: "a/value" has no values: 0 x 20'),
        (lambda: Loaded(Dataset("result", (), {})).plot(), "plot: there is no output to show"),
        (lambda: decisions(choice=np.zeros(200), value=np.zeros(200)).plot("decision/value", kind="response_times"), None),
    ],
)
def test_what_cannot_be_drawn(draw: Any, message: str | None) -> None:
    if message is None:
        assert draw().get_title() == "200 trials, 5.0 % undecided"
        return
    with pytest.raises(cogir.InputError, match=message):
        draw()


def test_nothing_decided_and_nothing_finite() -> None:
    data = decisions(choice=np.ones(200))
    data.unfinished["decision"][:] = True
    with pytest.raises(cogir.InputError, match="plot: none of 200 trials was decided; raise max_executions_before_finished"):
        data.plot()
    trial = Axis("trial", 1)
    with pytest.raises(cogir.InputError, match='plot: "a/value" has no finite values'):
        Loaded(Dataset("result", (trial,), {"a/value": Variable(np.array([np.nan]), (trial,))})).plot()


@pytest.mark.parametrize("values", [[0.0] * 50, [1.0] * 49 + [np.inf], [0.5] * 49 + [1e9]])
def test_histograms_of_odd_values(values: list[float]) -> None:
    trial = Axis("replicate", 50)
    Loaded(Dataset("replicates", (trial,), {"a/value": Variable(np.array(values), (trial,))})).plot(kind="histogram").figure.canvas.draw()


def test_without_matplotlib_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def importing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", importing)
    with pytest.raises(cogir.CogirError, match=r"plot: matplotlib is not installed; install it with: pip install 'cogir\[plot\]'"):
        swept(4).plot()
