"""The roles of a node function's parameters follow from its signature alone."""

# pyright: basic
import pytest

from cogir.errors import FunctionError
from cogir.library.signature import REQUIRED, Random, State, Static, Step, node_function, signature_of


@node_function(outputs=("value", "time"))
def integrate(stimulus, gain, *, rate=1.0, threshold, value: State = 0.0, mode: Static = "euler", random: Random):
    return Step(outputs=(value, rate), states=(value,))


def test_each_parameter_has_one_role():
    found = signature_of(integrate)
    assert found.inputs == ("stimulus", "gain")
    assert dict(found.params) == {"rate": 1.0, "threshold": REQUIRED}
    assert dict(found.states) == {"value": 0.0}
    assert found.randoms == ("random",)
    assert dict(found.statics) == {"mode": "euler"}
    assert found.arguments == ("stimulus", "gain", "rate", "threshold", "value", "random")


def test_the_decorator_leaves_the_function_as_it_is():
    assert integrate(1.0, 2.0, threshold=1.0, random=None) == Step((0.0, 1.0), (0.0,), None)


def test_a_positional_parameter_with_a_default_is_a_parameter():
    assert dict(signature_of(lambda x, gain=2.0: x).params) == {"gain": 2.0}


def test_roles_written_as_text():
    def function(x, *, value: "State" = 1.0, random: "Random"):
        return x

    assert dict(signature_of(function).states) == {"value": 1.0}
    assert signature_of(function).randoms == ("random",)


def test_names_of_outputs():
    assert signature_of(integrate).output_names(2) == ("value", "time")
    assert signature_of(lambda x: x).output_names(1) == ("value",)
    assert signature_of(lambda x: x).output_names(3) == ("value_0", "value_1", "value_2")
    with pytest.raises(FunctionError, match=r"declares 2 outputs \['value', 'time'\], but the function returns 1"):
        signature_of(integrate).output_names(1)


def test_an_annotation_that_cannot_be_resolved():
    def function(x, *, value: "Missing" = 1.0):  # noqa: F821
        return x

    with pytest.raises(FunctionError, match=r"function: annotation cannot be resolved: name 'Missing' is not defined; import the name"):
        signature_of(function)

    def other(x: "Random.nothing"):
        return x

    with pytest.raises(FunctionError, match=r"other: annotation cannot be resolved: .*nothing.*; import the name"):
        signature_of(other)
