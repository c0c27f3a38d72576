"""Warnings that become errors only by a filter that names their class are shown as often as other warnings."""

import warnings
from typing import Any

import pytest

from cogir.callers import may_be_error, warn_by_name
from cogir.runtime.native import CacheWarning

pytestmark = pytest.mark.filterwarnings("default")


def warned(*filters: tuple[Any, ...], texts: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The texts that are shown of warnings given by name, and of `warnings.warn`, under filters of which the first is the last."""
    found: tuple[list[str], list[str]] = [], []
    for shown, warn in zip(found, (warn_by_name, warnings.warn), strict=True):
        with warnings.catch_warnings(record=True) as caught:
            warnings.resetwarnings()
            for action in filters:
                warnings.simplefilter(*action)
            if warn is warn_by_name:
                warnings.simplefilter("error")
            for text in texts:
                warn(f"{warn.__name__} {filters}: {text}", CacheWarning)
        shown += [str(one.message).rpartition(": ")[2] for one in caught]
    return found


@pytest.mark.parametrize("action", ["default", "module", "once", "always"])
def test_a_text_is_shown_as_often_as_filters_say(action: str) -> None:
    """A filter of errors for all warnings changes nothing about it."""
    by_name, usual = warned((action, CacheWarning), texts=("one", "two", "one", "one"))
    assert by_name == usual == (["one", "two", "one", "one"] if action == "always" else ["one", "two"])
    assert warned(texts=("one", "two", "one"))[0] == ["one", "two"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([], False),
        ([("error", CacheWarning, "")], True),
        ([("error", Warning, "")], False),
        ([("error", CacheWarning, ""), ("ignore", Warning, "")], False),
        ([("error", CacheWarning, ""), ("ignore", Warning, "another text")], True),
    ],
    ids=["none", "by name", "of all", "ignored after all", "some ignored"],
)
def test_whether_a_warning_may_be_an_error(filters, expected):
    """The last filter comes first."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for action, category, message in filters:
            warnings.filterwarnings(action, category=category, message=message)
        assert may_be_error(CacheWarning) == expected
