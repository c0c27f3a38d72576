"""The pictures: which one is the usual one, what stands at its axes, and what cannot be drawn."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from itertools import pairwise
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


def conditions(texts: list[str], *sizes: int, elements: int = 1) -> Loaded:
    """A sweep of conditions with names and of parameters, with 20 replicates of one trial and the elements `e0`, `e1` ... at each point."""
    axes = [Axis("condition", len(texts), {"condition": np.array(texts)})]
    axes += [Axis(f"a/p{i}", size, {f"a/p{i}": np.linspace(1.0, 2.0, size)}) for i, size in enumerate(sizes)]
    shared = (*axes, Axis("replicate", 20), Axis("trial", 1))
    shape = (*(axis.size for axis in shared), elements)
    inner = (Axis("a", elements, {"a": np.array([f"e{i}" for i in range(elements)])}),) if elements > 1 else ()
    values = np.random.default_rng(1).normal(size=shape)
    return Loaded(Dataset("sweep", shared, {"a/value": Variable(values if inner else values[..., 0], (*shared, *inner), "s")}))


def legend_of(axes: Any) -> tuple[str, list[str]]:
    return axes.get_legend().get_title().get_text(), [text.get_text() for text in axes.get_legend().get_texts()]


def test_of_two_swept_axes_the_one_with_labels_has_a_line_for_each() -> None:
    found = conditions(["red", "green", "blue"], 2)
    axes = found.plot()
    assert (labels(axes), axes.get_title()) == (("a/p0", "a/value (s)"), "mean, 95 % interval")
    assert legend_of(axes) == ("condition", ["red", "green", "blue"])
    values = found["a"][..., 0]
    for number, line in enumerate(axes.lines):
        assert line.get_ydata() == pytest.approx(values[number].mean(axis=1))
        band = axes.collections[number].get_paths()[0].get_extents()
        half = 1.96 * values[number].std(axis=1, ddof=1) / 20**0.5
        assert (band.y0, band.y1) == pytest.approx(((line.get_ydata() - half).min(), (line.get_ydata() + half).max()))
    assert len({line.get_color() for line in axes.lines}) == 3
    assert found.plot(kind="map").collections[0].get_array().shape == (3, 2)


def test_of_two_axes_with_numbers_the_shorter_one_has_a_line_for_each() -> None:
    for sizes in ((4, 3), (3, 4)):
        found = swept(*sizes)
        axes = found.plot(kind="line")
        short = int(np.argmin(sizes))
        assert labels(axes)[0] == ("a/p1" if short == 0 else "a/p0 (Hz)")
        assert legend_of(axes) == ("a/p0 (Hz)" if short == 0 else "a/p1", ["1", "1.5", "2"])
        means = found["a"].mean(axis=2)
        assert [line.get_ydata().tolist() for line in axes.lines] == (means if short == 0 else means.T).tolist()


def test_more_lines_than_a_legend_holds_are_left_out_and_said() -> None:
    many = swept(12, 13).plot(kind="line")
    assert (len(many.lines), many.get_title()) == (6, "mean, 95 % interval, 6 of 12 values of a/p0")
    assert len(legend_of(many)[1]) == 6
    elements = conditions(["red", "green"], 3, elements=2).plot()
    assert legend_of(elements) == ("condition", ["red, e0", "green, e0", "red, e1", "green, e1"])
    few = conditions(["red", "green"], 3, elements=6).plot()
    assert (legend_of(few)[1], few.get_title()) == (["red", "green"], "mean, 95 % interval, one of 6 elements")
    assert conditions([f"c{i}" for i in range(11)], 3).plot().collections[0].get_array().shape == (11, 3), "a map is usual"


def test_labels_along_the_axis_have_points_that_are_not_joined() -> None:
    found = conditions(["red", "green", "blue"])
    axes = found.plot()
    (bars,) = axes.containers
    assert (bars.lines[0].get_linestyle(), bars.lines[0].get_xdata().tolist()) == ("None", [0.0, 1.0, 2.0])
    values = found["a"][:, :, 0]
    assert bars.lines[0].get_ydata() == pytest.approx(values.mean(axis=1))
    low, high = np.array([segment[:, 1] for segment in bars.lines[2][0].get_segments()]).T
    assert (high - low) / 2.0 == pytest.approx(1.96 * values.std(axis=1, ddof=1) / 20**0.5)
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {0.0}


@pytest.mark.parametrize(("count", "turned"), [(2, 0.0), (6, 35.0), (20, 90.0)])
def test_labels_are_turned_where_they_would_overlap(count: int, turned: float) -> None:
    axes = conditions([f"colour condition {number}" for number in range(count)]).plot()
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {turned}
    axes.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    if turned != 35.0:  # the boxes of slanted texts overlap, their texts do not
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))


def test_lines_over_labels_stand_side_by_side() -> None:
    both = Axis("kind", 2, {"kind": np.array(["slow", "fast"])})
    axis = Axis("condition", 3, {"condition": np.array(["red", "green", "blue"])})
    values = np.arange(6.0).reshape(3, 2)
    axes = Loaded(Dataset("sweep", (axis, both), {"a/value": Variable(values, (axis, both))})).plot()
    assert legend_of(axes) == ("kind", ["slow", "fast"])
    assert [line.get_xdata().tolist() for line in axes.lines] == [pytest.approx([-0.06, 0.94, 1.94]), pytest.approx([0.06, 1.06, 2.06])]
    assert (axes.get_title(), [tick.get_text() for tick in axes.get_xticklabels()]) == ("", ["red", "green", "blue"])


def test_means_that_a_sweep_has_kept_have_the_intervals_of_their_standard_errors() -> None:
    axis, trial = Axis("condition", 2, {"condition": np.array(["red", "green"])}), Axis("trial", 1)
    along, errors = Axis("a/p0", 3, {"a/p0": np.arange(3.0)}), np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]])[..., None]
    shared = (axis, along, trial)
    kept = {"a/value/mean": Variable(np.zeros((2, 3, 1)), shared), "a/value/sem": Variable(errors, shared)}
    axes = Loaded(Dataset("sweep", shared, kept)).plot("a")
    assert axes.get_title() == "mean, 95 % interval"
    assert [band.get_paths()[0].get_extents().y1 for band in axes.collections] == [pytest.approx(0.588), pytest.approx(5.88)]
    without = Loaded(Dataset("sweep", shared, {"a/value/mean": kept["a/value/mean"]})).plot("a")
    assert (without.get_title(), len(without.collections)) == ("", 0)


def test_a_second_picture_in_the_same_axes_has_the_next_colour_and_a_name() -> None:
    axes = swept(4).plot(label="first")
    assert swept(4).plot(axes=axes, label="second") is axes
    assert legend_of(axes) == ("", ["first", "second"])
    assert len({line.get_color() for line in axes.lines}) == 2
    assert axes.get_title() == "mean, 95 % interval"
    result = decisions(choice=np.arange(200) % 2)
    both = result.plot("decision/choice", kind="histogram", label="one")
    result.plot("decision/choice", kind="histogram", axes=both, label="two")
    assert len({patch.get_facecolor() for patch in both.patches}) == 2
    assert both.get_title() == "200 trials, one: 5.0 % unfinished, two: 5.0 % unfinished"
    own = matplotlib.pyplot.subplots()[1]
    own.set_title("My study", fontsize=20)
    swept(4).plot(axes=own)
    assert (own.get_title(), own.title.get_fontsize()) == ("My study, mean, 95 % interval", 20.0)
    assert own.get_legend() is None


def test_three_swept_axes_are_drawn_by_the_call_that_the_error_names() -> None:
    pytest.importorskip("xarray")
    point = Axis("point", 2, {"a/q": np.array([1.0, 2.0]), "a/r": np.array([3.0, 4.0])})
    for data in (conditions(["red", "green"], 4, 3), conditions(["red", "green"], 4, 3, elements=2), swept(3, 2, 4)):
        with pytest.raises(cogir.InputError, match="choose values along the others") as found:
            data.plot()
        lines = eval(f"data.{str(found.value).rpartition('xarray: ')[2]}", {"data": data})
        labelled = "condition" in data.to_xarray()
        assert (len(lines), len(lines[0].get_xdata())) == ((2, 4) if labelled else (3, 4))
    shared = (point, *swept(3, 4).dataset().axes[:2])
    data = Loaded(Dataset("sweep", shared, {"a/value": Variable(np.zeros((2, 3, 4)), shared)}))
    with pytest.raises(cogir.InputError, match=r'\.isel\({"point": 0}\)\.plot\.line\(x="a\.p1"\)') as found:
        data.plot()
    assert len(eval(f"data.{str(found.value).rpartition('xarray: ')[2]}", {"data": data})) == 3


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
        (
            lambda: swept(2, 2, 2).plot(),
            r'plot: the data has 3 swept axes \("a/p0", "a/p1", "a/p2"\), and a picture has two at most',
        ),
        (lambda: swept(2, 2, 2).plot(kind="line"), "a picture has two at most; choose values along the others with xarray: to_xarray"),
        (lambda: swept(2, 2, 2).plot(kind="map"), "a picture has two at most; choose values along the others with xarray: to_xarray"),
        (lambda: swept(4).plot(kind="lines"), r"plot: kind is 'lines'; did you mean \"line\"\?"),
        (lambda: swept(4).plot(kind=3), "plot: kind is 3; give one of response_times, trajectories, histogram, line, map, curve"),
        (lambda: swept(4).plot(kind="map"), "plot: a map is over two swept parameters; this data has 1"),
        (lambda: decisions().plot(kind="line"), "plot: a line is over one or two swept parameters; this data has none"),
        (lambda: swept(4).plot(label=3), "plot: label is 3; give a text"),
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
