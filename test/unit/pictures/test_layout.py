"""The layout of random graphs: nothing overlaps, groups hold their members, edges run from box to box and through none."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from cogir.pictures.layout import Direction, Link, place
from cogir.pictures.level import Member
from cogir.pictures.order import crossings, ordered
from cogir.pictures.placement import Placement, Point, Rectangle, Route
from cogir.pictures.ranks import downward, ranks

CLOSE = 0.06
"""Paths are straight where this is all that they would have to bend."""


def some_graph(seed: int) -> tuple[list[Member], list[Link]]:
    """Boxes of many sizes, some of them in groups in groups, with edges of all kinds."""
    r = random.Random(seed)
    boxes: list[str] = []

    def items(prefix: str, count: int, depth: int) -> list[Member]:
        made: list[Member] = []
        for number in range(count):
            path = f"{prefix}{number}"
            if depth < 2 and r.random() < 0.25:
                made.append(Member(path, 70.0, 20.0, r.randrange(4), tuple(items(f"{path}/", r.randint(1, 4), depth + 1))))
            else:
                boxes.append(path)
                made.append(Member(path, r.uniform(30, 160), r.uniform(20, 80), r.randrange(4), keeps_top=r.random() < 0.2))
        return made

    found = items("", r.randint(1, 12), 0)
    links = [
        Link(r.choice(boxes), r.choice(boxes), r.choice([None, (r.uniform(10, 90), 15.0)]), r.random() < 0.1)
        for _ in range(r.randint(0, 24))
    ]
    return found, links


def all_items(items: Sequence[Member]) -> Iterator[Member]:
    for item in items:
        yield item
        yield from all_items(item.members or ())


def points_of(route: Route) -> Iterator[Point]:
    at = route.start
    for one, two, end in route.curves:
        for step in range(21):
            t, u = step / 20, 1 - step / 20
            yield tuple(u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d for a, b, c, d in zip(at, one, two, end, strict=True))  # type: ignore[misc]
        at = end


def on_border(point: Point, rectangle: Rectangle) -> bool:
    x, y = point
    inside = rectangle.x - CLOSE <= x <= rectangle.right + CLOSE and rectangle.y - CLOSE <= y <= rectangle.bottom + CLOSE
    near = min(abs(x - rectangle.x), abs(x - rectangle.right), abs(y - rectangle.y), abs(y - rectangle.bottom))
    return inside and near < CLOSE


def shrunk(rectangle: Rectangle, by: float) -> Rectangle:
    return Rectangle(rectangle.x + by, rectangle.y + by, rectangle.width - 2 * by, rectangle.height - 2 * by)


def holds(rectangle: Rectangle, point: Point) -> bool:
    return rectangle.x < point[0] < rectangle.right and rectangle.y < point[1] < rectangle.bottom


def check(items: Sequence[Member], links: Sequence[Link], found: Placement) -> None:
    whole = Rectangle(-CLOSE, -CLOSE, found.width + 2 * CLOSE, found.height + 2 * CLOSE)
    everything = list(all_items(items))
    assert set(found.rectangles) == {item.path for item in everything}
    levels = [items, *(item.members for item in everything if item.members is not None)]
    for level in levels:
        for one, two in combinations(level, 2):
            assert not found.rectangles[one.path].overlaps(found.rectangles[two.path]), f"{one.path} and {two.path} overlap"
    for item in everything:
        assert whole.contains(found.rectangles[item.path]), f"{item.path} is cut off"
        for member in item.members or ():
            assert shrunk(found.rectangles[item.path], 10.0).contains(found.rectangles[member.path]), f"{member.path} leaves {item.path}"
    boxes = [item.path for item in everything if item.members is None]
    assert len(found.routes) == len(links)
    for link, route in zip(links, found.routes, strict=True):
        assert on_border(route.start, found.rectangles[link.source]), f"{link} does not begin at its sender"
        assert on_border(route.end, found.rectangles[link.target]), f"{link} does not end at its receiver"
        for point in points_of(route):
            assert holds(whole, point), f"{link} is cut off"
            for path in boxes:
                assert not holds(shrunk(found.rectangles[path], 1.0), point), f"{link} runs through {path}"
        assert (route.label is None) == (link.label is None)
    labels = [
        Rectangle(route.label[0] - link.label[0] / 2, route.label[1] - link.label[1] / 2, *link.label)
        for link, route in zip(links, found.routes, strict=True)
        if route.label is not None and link.label is not None
    ]
    for label in labels:
        assert whole.contains(label), "a label is cut off"
        for path in boxes:
            assert not shrunk(label, 0.5).overlaps(found.rectangles[path]), f"a label covers {path}"
    for one, two in combinations(labels, 2):
        assert not shrunk(one, 0.5).overlaps(two), "two labels overlap"


@pytest.mark.parametrize("direction", ["down", "right"])
def test_random_graphs(direction: Direction) -> None:
    for seed in range(40):
        items, links = some_graph(seed)
        check(items, links, place(items, links, direction))


@pytest.mark.full
@pytest.mark.parametrize("direction", ["down", "right"])
def test_many_random_graphs(direction: Direction) -> None:
    for seed in range(100, 600):
        items, links = some_graph(seed)
        check(items, links, place(items, links, direction))


def test_same_places_each_time() -> None:
    assert place(*some_graph(7)) == place(*some_graph(7))


def test_nothing() -> None:
    assert place([], []).rectangles == {}


def test_a_chain_runs_down_and_to_the_right() -> None:
    items = [Member(name, 50.0, 20.0, rank) for rank, name in enumerate("abc")]
    links = [Link("a", "b"), Link("b", "c")]
    down, right = place(items, links), place(items, links, "right")
    ys = [down.rectangles[name].y for name in "abc"]
    assert ys == sorted(ys)
    assert len({round(down.rectangles[name].x, 3) for name in "abc"}) == 1
    xs = [right.rectangles[name].x for name in "abc"]
    assert xs == sorted(xs)
    assert len({round(right.rectangles[name].y, 3) for name in "abc"}) == 1


def test_what_executes_later_stands_below_although_it_sends_back() -> None:
    layers, links = [0.0, 1.0, 2.0], [(0, 1), (1, 2), (2, 0)]
    assert downward(layers, links) == [True, True, False]


def test_no_cycles_point_down() -> None:
    """Also in layers that are cycles themselves."""
    r = random.Random(0)
    for _ in range(200):
        count = r.randint(1, 9)
        links = [(r.randrange(count), r.randrange(count)) for _ in range(r.randint(0, 20))]
        links = [(source, target) for source, target in links if source != target]
        layers = [float(r.randrange(3)) for _ in range(count)]
        turned = [(s, t) if down else (t, s) for (s, t), down in zip(links, downward(layers, links), strict=True)]
        found = ranks(layers, turned, [False] * count)
        assert all(found[source] < found[target] for source, target in turned)
        assert set(found) == set(range(max(found) + 1)), "ranks without members"


def test_cycles_begin_where_they_are_entered() -> None:
    """0 sends to 3, which is in a cycle with 1 and 2: they follow it in the order of the cycle."""
    layers, links = [0.0, 1.0, 1.0, 1.0], [(0, 3), (1, 2), (2, 3), (3, 1)]
    assert downward(layers, links) == [True, True, False, True]


def test_wide_ranks_are_continued() -> None:
    found = ranks([0.0] * 100, [], [False] * 100)
    assert max(map(found.count, found)) <= 20


def test_fewer_crossings() -> None:
    """Two ranks in opposite order: all cross at first, none at the end."""
    count = 8
    rows = [list(range(count)), list(range(count, 2 * count))]
    below = [[2 * count - 1 - vertex] for vertex in range(count)] + [[] for _ in range(count)]
    above: list[list[int]] = [[] for _ in range(count)] + [[2 * count - 1 - vertex] for vertex in range(count, 2 * count)]
    assert crossings(rows, below) == count * (count - 1) // 2
    assert crossings(ordered(rows, above, below), below) == 0


def test_edges_without_room_for_bends_run_behind_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogir.pictures.level.MOST_BENDS", 3)
    items = [Member(str(number), 50.0, 20.0, float(number)) for number in range(8)]
    links = [Link(str(number), str(number + 1)) for number in range(7)] + [Link("0", "7", (20.0, 15.0)), Link("0", "3")]
    found = place(items, links)
    for link, route in zip(links, found.routes, strict=True):
        assert on_border(route.start, found.rectangles[link.source])
        assert on_border(route.end, found.rectangles[link.target])
    assert found.routes[7].label is not None
