"""The meaning of draws whose normals were drawn before."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from cogir.frontend.text import parse
from cogir.interpreters.levels import run_function
from cogir.library.random.blocks import REPEATED

DRAWN = 300


def reserve() -> tuple[np.ndarray, np.ndarray]:
    """Normals, the first of them once more at the end, and the words of a generator that gives them out."""
    normals = np.random.RandomState(3).normal(size=DRAWN)
    normals = np.concatenate((normals, normals[:REPEATED]))
    return normals, np.array([normals.ctypes.data, 0, DRAWN], np.int64)


def drawing(type: str) -> ModuleOp:
    return parse(
        f"""
        func.func @f(%words: tensor<3xi64>) -> ({type}, {type}) {{
          %0 = arith.constant 0 : index
          %1 = arith.constant 1 : index
          %2 = arith.constant 2 : index
          %address = tensor.extract %words[%0] : tensor<3xi64>
          %taken = tensor.extract %words[%1] : tensor<3xi64>
          %drawn = tensor.extract %words[%2] : tensor<3xi64>
          %r = rng.from_words %address, %taken, %drawn : !rng.state<presampled>
          %x, %r1 = rng.normal %r : !rng.state<presampled> -> {type}
          %y, %r2 = rng.normal %r1 : !rng.state<presampled> -> {type}
          func.return %x, %y : {type}, {type}
        }}
        """
    )


def test_normals_come_in_the_order_in_which_they_were_drawn() -> None:
    normals, words = reserve()
    assert run_function(drawing("f64"), "f", [words]) == (normals[0], normals[1])
    x, y = run_function(drawing("tensor<2x3xf64>"), "f", [words])
    np.testing.assert_array_equal(x, normals[:6].reshape(2, 3))
    np.testing.assert_array_equal(y, normals[6:12].reshape(2, 3))


def test_beyond_the_last_one_the_first_ones_come_again() -> None:
    normals, words = reserve()
    words[1] = DRAWN - 1
    x, y = run_function(drawing("f64"), "f", [words])
    assert (x, y) == (normals[DRAWN - 1], normals[DRAWN & (REPEATED - 1)])


def test_a_number_is_read_at_its_address() -> None:
    normals, _ = reserve()
    module = parse("func.func @f(%a: i64) -> f64 { %x = rng.presampled %a : f64 func.return %x : f64 }")
    assert run_function(module, "f", [int(normals[7:].ctypes.data)]) == (normals[7],)
