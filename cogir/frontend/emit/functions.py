"""
The functions of a model as functions of its module: each is compiled once per types and constants, and shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr, f64
from xdsl.ir import Attribute

from cogir.dialects.python_functions import PYTHON
from cogir.errors import FunctionError, ModelError
from cogir.frontend.builder.records import FunctionRecord
from cogir.frontend.builder.signatures import describe, signature_for
from cogir.frontend.builder.source_location import SourceLocation
from cogir.pyfunc.table import FunctionTable, compile_function


class Functions:
    """All functions that a module holds, by what they are compiled from."""

    def __init__(self, taken: set[str]):
        """`taken`: the names of other symbols of the module."""
        self.table = FunctionTable(taken)
        self.python: dict[str, func.FuncOp] = {}
        """Declarations of the functions that stay Python."""

    def ops(self) -> Sequence[func.FuncOp]:
        """The functions in the order in which they were needed, those that they call included."""
        return [*self.python.values(), *self.table.functions()]

    def compiled(
        self,
        function: Callable[..., Any],
        types: Sequence[Attribute],
        statics: Mapping[str, Any],
        what: str,
        place: SourceLocation,
    ) -> func.FuncOp:
        """The function compiled for these types; an error names the node that needs it, and its line."""
        signature_for(function, what, place)
        try:
            return compile_function(function, types, name=function.__name__, statics=statics, symbol_table=self.table)
        except FunctionError as error:
            raise FunctionError(f"{place}: {what}: {error}") from None

    def declared(self, body: FunctionRecord, types: Sequence[Attribute], results: Sequence[Attribute]) -> func.FuncOp:
        """A declaration for a function that stays Python."""
        name = self.table.symbol(getattr(body.function, "__name__", type(body.function).__name__))
        op = func.FuncOp.external(name, types, results)
        op.attributes[PYTHON] = StringAttr(body.python or "")
        self.python[name] = op
        return op

    def cost(self, function: Callable[..., Any], what: str, place: SourceLocation, *, total: bool = False) -> str:
        """The name of a cost function, which takes a number and returns one; a total cost takes three and returns two."""
        found = self.compiled(function, [f64] * (3 if total else 1), {}, what, place)
        if list(found.function_type.outputs) != [f64] * (2 if total else 1):
            raise ModelError(
                f"{place}: {what}: {describe(function)} returns ({', '.join(map(str, found.function_type.outputs))}); "
                f"return {'two numbers: the cost, and the next sum' if total else 'one number'}"
            )
        return found.sym_name.data
