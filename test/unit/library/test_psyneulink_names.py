"""Functions of PsyNeuLink are in `cogir.library.psyneulink`; their old names say so."""

import importlib
from types import FunctionType

import numpy as np
import pytest

import cogir
from cogir import library

OLD = sorted(set(library.psyneulink.__all__) - set(library.__all__))


@pytest.mark.parametrize("name", OLD)
def test_an_old_name_says_where_its_function_is(name: str) -> None:
    assert name not in dir(library)
    with pytest.raises(AttributeError, match=rf"cogir\.library\.psyneulink\.{name}\b"):
        getattr(library, name)


def test_an_old_name_says_why_it_moved_and_what_has_the_librarys_meaning() -> None:
    with pytest.raises(AttributeError, match=r"`noise` is a variance.*euler_maruyama"):
        library.ornstein_uhlenbeck_integrator  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match='did you mean "simple_integrator"'):
        library.simple_integratr  # pyright: ignore[reportAttributeAccessIssue]


def test_a_name_of_the_library_says_where_its_function_is() -> None:
    for name in ("logistic", "drift_diffusion_decision"):
        with pytest.raises(AttributeError, match=rf'cogir\.library\.psyneulink has no "{name}"; use cogir\.library\.{name}$'):
            getattr(library.psyneulink, name)
    with pytest.raises(AttributeError, match='did you mean "simple_integrator"'):
        library.psyneulink.simple_integratr  # pyright: ignore[reportAttributeAccessIssue]


def test_names_in_both_places_are_two_functions() -> None:
    both = set(library.psyneulink.__all__) & set(library.__all__)
    assert both == {"softmax", "tanh"}
    x = np.array([-400.0, 0.5])
    assert library.tanh(x, offset=1.0).tolist() == [0.0, 1.0 + np.tanh(0.5)]
    with np.errstate(over="ignore", invalid="ignore"):
        assert library.psyneulink.tanh(x, offset=1.0)[1] == pytest.approx(np.tanh(1.5))
    assert library.psyneulink.softmax(x, output="arg_max").tolist() == [0.0, library.softmax(x)[1]]


def test_a_parameter_of_psyneulinks_form_is_found_there() -> None:
    with pytest.raises(cogir.ModelError, match=r'softmax has no parameter "output"; library\.psyneulink\.softmax has it$'):
        cogir.Model("m").node("n", library.softmax, input=2, output="arg_max")
    with pytest.raises(cogir.ModelError, match=r'softmax has no parameter "gian"; did you mean "gain"'):
        cogir.Model("m").node("n", library.softmax, input=2, gian=2.0)


def test_plain_modules_do_not_use_psyneulinks_functions() -> None:
    for name in library.__all__:
        function = getattr(library, name)
        if isinstance(function, FunctionType):
            module = importlib.import_module(getattr(function, "__wrapped__", function).__module__)
            assert not module.__name__.startswith("cogir.library.psyneulink")
            theirs = [each for each in vars(module).values() if getattr(each, "__module__", "").startswith("cogir.library.psyneulink")]
            assert not theirs, name
