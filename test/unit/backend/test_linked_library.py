"""The library as it is shipped is that of its sources, and models are linked with it."""

import ctypes
import hashlib
import re

import numpy as np
import pytest
from support.native import parse
from xdsl.context import Context

import cogir
from cogir.backend import linked_library as shipped
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.linked_library import FILE, LinkedLibrary, linked_library, written
from cogir.backend.llvm import LoadedObject, host, machine_for
from cogir.backend.write_library import made
from cogir.dialects.math_functions import ELEMENTARY
from cogir.dialects.rng import AHEAD_KIND
from cogir.library import Random
from cogir.library.numerics.c_library import VARIANTS, variant
from cogir.library.numerics.math import FUNCTIONS
from cogir.lowering.convert_small_linalg_to_vector import BRANCHING
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.library.expand_math import TWO_ARGUMENTS, ExpandMath
from cogir.lowering.library.functions import LINKED, says_linked
from cogir.runtime import build


def test_the_file_is_up_to_date():
    is_current = FILE.read_text() == written(made())
    assert is_current, "library.ll is out of date; run python -m cogir.backend.write_library"


def test_the_file_says_which_sources_it_was_made_from():
    assert shipped.fingerprint() != hashlib.sha256().hexdigest(), "no source was found"


def test_a_file_of_other_sources_is_not_used(monkeypatch, tmp_path):
    other = tmp_path / "library.ll"
    other.write_text(FILE.read_text().replace("; sources ", "; sources 0"))
    for file in (other, tmp_path / "missing"):
        monkeypatch.setattr(shipped, "FILE", file)
        assert not linked_library.__wrapped__().sizes


def log(x):
    return 2.0 * x


def noisy(x, *, random: Random):
    """Elementary functions, a draw that needs the C library's `log`, and a function of its own by that name."""
    return np.tanh(log(x[0])) + np.exp(-random.normal())


@pytest.mark.parametrize("kind", ["mt19937", "philox4x64", "xoshiro256"])
def test_a_model_is_linked_and_its_numbers_are_the_same(monkeypatch, kind: str):
    texts: list[str] = []

    def keep(ir: str, **options: bool) -> bytes:
        texts.append(ir)
        return compile_to_object(ir, **options)

    monkeypatch.setattr(build, "compile_to_object", keep)
    inputs, results = {"n": [[0.25], [-3.0]]}, []
    for library in (linked_library(), LinkedLibrary({}, {})):
        monkeypatch.setattr(build, "linked_library", lambda library=library: library)
        model = cogir.Model("m")
        model.node("n", noisy, input=1, seed=3, prng=kind)
        results.append(model.compile(mode="run", cache=False).run(inputs, 50)["n"])
    assert np.array_equal(*results)
    symbols = [sorted(re.findall(r"define [^@]*@(cogir_(?:math|rng)\w+)", text)) for text in texts]
    assert symbols[0] == symbols[1]
    drawn = AHEAD_KIND if kind == "mt19937" and variant("log") in VARIANTS else kind
    assert {"cogir_math_tanh_f64", "cogir_math_exp_f64", f"cogir_rng_{drawn}_normal"} <= set(symbols[0])


@pytest.mark.parametrize("lanes", [2, 3, 4, 8])
def test_functions_of_vectors_have_the_bits_of_functions_of_numbers(lanes: int):
    types, operations = f"memref<{lanes}xf64>", {name: op.name for op, name in ELEMENTARY.items() if name not in BRANCHING}
    names = list(operations)
    text = ""
    for name in names:
        arguments = "%v, %w" if name in TWO_ARGUMENTS else "%v"
        text += f"""
          func.func @f_{name}(%x: {types}, %y: {types}) {{
            %zero = arith.constant 0 : index
            %v = vector.load %x[%zero] : {types}, vector<{lanes}xf64>
            %w = vector.load %y[%zero] : {types}, vector<{lanes}xf64>
            %r = {operations[name]} {arguments} : vector<{lanes}xf64>
            vector.store %r, %x[%zero] : {types}, vector<{lanes}xf64>
            func.return
          }}"""
    module = parse(text)
    library = linked_library()
    module.attributes[LINKED] = says_linked(library.sizes)
    ExpandMath().apply(Context(), module)
    ConvertToLlvm().apply(Context(), module)
    ir = library.link(emit_llvm_ir(module))
    assert {f"cogir_math_{name}_f64_v{lanes}" for name in names} <= set(re.findall(r"define [^@]*@(cogir_math_\w+)", ir))
    code = LoadedObject(compile_to_object(ir), [f"f_{name}" for name in names], {})
    numbers = np.random.default_rng(lanes)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e300, 1.0, -1.0]
    for name in names:
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code.address(f"f_{name}"))
        for _ in range(50):
            x, y = (np.where(numbers.random(lanes) < 0.2, numbers.choice(special, lanes), numbers.normal(0, 3, lanes)) for _ in range(2))
            wanted = [FUNCTIONS[name](*pair[: 1 + (name in TWO_ARGUMENTS)]) for pair in zip(x.tolist(), y.tolist(), strict=True)]
            call(x.ctypes.data, y.ctypes.data)
            assert str(x.tolist()) == str(wanted), name


@pytest.mark.parametrize(("operations", "choice"), [(10, " alwaysinline"), (9000, "")])
def test_whether_copies_are_too_many_is_decided_for_each_model(operations: int, choice: str):
    calls = "\n".join(f"%y{n} = func.call @cogir_math_exp_f64(%x) : (f64) -> f64" for n in range(2))
    module = parse(f"""
      func.func @f(%x: f64) -> f64 {{
        {calls}
        func.return %y1 : f64
      }}
      func.func private @cogir_math_exp_f64(f64) -> f64 attributes {{cog.inline = "always", cog.size = array<i64: {operations}, 0>}}
    """)
    ConvertToLlvm().apply(Context(), module)
    text = linked_library().link(emit_llvm_ir(module))
    assert re.findall(r"define internal double @cogir_math_exp_f64.*nounwind(.*) {", text) == [choice]
    machine_for(host()).parse(text)
