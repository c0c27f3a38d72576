"""
What filters of a script make of a FallbackWarning, and what tracebacks of its errors show.
"""

import traceback
import warnings

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.callers import warn_by_name
from cogir.psyneulink import FallbackWarning, accelerate
from cogir.runtime.native import CacheWarning

pytestmark = pytest.mark.filterwarnings("default")


def falls_back(**callback):
    """One call that runs in PsyNeuLink, and what it returns."""
    fresh()
    composition = pnl.Composition(name="C", nodes=[pnl.TransferMechanism(name="A")])
    with accelerate():
        return composition.run({"A": [[2.0]]}, call_after_pass=callback.get("call", lambda: None))


GENERAL = [
    lambda: warnings.simplefilter("error"),
    lambda: warnings.simplefilter("error", Warning),
    lambda: warnings.filterwarnings("error", message="Composition 'C'"),
    lambda: warnings.filterwarnings("error", module=__name__),
]


@pytest.mark.parametrize("filtered", GENERAL)
def test_a_general_filter_of_errors_only_shows_a_fallback(filtered):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore", UserWarning)
        filtered()
        assert falls_back() == [[2.0]]
    (shown,) = caught
    assert (shown.category, shown.filename) == (FallbackWarning, __file__)
    assert str(shown.message).startswith("Composition 'C': run() is called with call_after_pass")


def test_user_warnings_as_errors_do_not_concern_a_fallback():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error", UserWarning)
        assert falls_back() == [[2.0]]
    assert [one.category for one in caught] == [FallbackWarning]
    assert not issubclass(FallbackWarning, UserWarning)


@pytest.mark.parametrize("general", [False, True])
def test_a_filter_that_names_it_makes_an_error_of_a_fallback(general):
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        if general:
            warnings.simplefilter("error")
        with pytest.raises(FallbackWarning, match="call_after_pass"):
            falls_back()


@pytest.mark.parametrize("general", [False, True])
def test_a_filter_that_names_it_hides_a_fallback(general):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore", FallbackWarning)
        if general:
            warnings.simplefilter("error")
        assert falls_back() == [[2.0]]
    assert not caught


def test_a_cache_that_cannot_be_used_does_not_stop_a_script_either():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warn_by_name("no cache", CacheWarning)
        assert [str(one.message) for one in caught] == ["no cache"]
        warnings.simplefilter("error", CacheWarning)
        with pytest.raises(CacheWarning):
            warn_by_name("no cache", CacheWarning)


def test_a_traceback_has_no_entries_of_cogir():
    def wrong(**given):
        raise ValueError("of the script")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        with pytest.raises(ValueError, match="of the script") as found:
            falls_back(call=wrong)
    files = [frame.filename for frame in traceback.extract_tb(found.value.__traceback__)]
    assert files[0] == files[-1] == __file__
    assert not [file for file in files if "/cogir/" in file]
