"""A model at stage `loops`, written by hand, and its plan: it adds up its input, and hangs for inputs below zero."""

import numpy as np

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import CompiledCode, compile_to_object
from cogir.frontend.text import parse
from cogir.lowering.pipeline import lower_to
from cogir.runtime.compiled import Compiled
from cogir.runtime.entry import NativeEntry
from cogir.runtime.native import NativeEngine
from cogir.runtime.plan import GeneratorStart, Plan, PlanSlot

TEXT = """
func.func @init(%pf: memref<2xf64>, %pi: memref<1xi64>, %sf: memref<1xf64>, %si: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.load %pf[%c1] : memref<2xf64>
  %zero = arith.constant 0 : i64
  memref.store %start, %sf[%c0] : memref<1xf64>
  memref.store %zero, %si[%c0] : memref<2xi64>
  memref.store %zero, %si[%c1] : memref<2xi64>
  func.return
}

// total += gain * input; an input below 0 waits for ever, one above 1000 is a step limit, the 7th trial of a run is its last
func.func @run(%pf: memref<2xf64>, %pi: memref<1xi64>, %sf: memref<1xf64>, %si: memref<2xi64>, %rng: memref<13xi64>,
               %in: memref<?x1xf64>, %n_in: i64, %out: memref<?x1xf64>, %first: i64, %count: i64, %control: memref<16xi64>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %i4 = arith.constant 4 : i64
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i7 = arith.constant 7 : i64
  %ok = arith.constant 0 : i32
  %stopped = arith.constant 1 : i32
  %limit = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f64
  %thousand = arith.constant 1000.0 : f64
  %gain = memref.load %pf[%c0] : memref<2xf64>
  %done, %status = scf.while (%t = %i0, %s = %ok) : (i64, i32) -> (i64, i32) {
    %more = arith.cmpi slt, %t, %count : i64
    %fine = arith.cmpi eq, %s, %ok : i32
    %calls = memref.load %si[%c1] : memref<2xi64>
    %early = arith.cmpi slt, %calls, %i7 : i64
    %a = arith.andi %more, %fine : i1
    %go = arith.andi %a, %early : i1
    scf.condition(%go) %t, %s : i64, i32
  } do {
  ^bb0(%t: i64, %s: i32):
    %trial = arith.addi %first, %t : i64
    %row = arith.remsi %trial, %n_in : i64
    %row_i = arith.index_cast %row : i64 to index
    %x = memref.load %in[%row_i, %c0] : memref<?x1xf64>
    %negative = arith.cmpf olt, %x, %zero : f64
    %old = memref.load %sf[%c0] : memref<1xf64>
    %change = arith.mulf %gain, %x : f64
    %new = arith.addf %old, %change : f64
    memref.store %new, %sf[%c0] : memref<1xf64>
    %waited = scf.if %negative -> (i32) {
      %r = scf.while (%k = %i0) : (i64) -> (i64) {
        %at = memref.load %control[%c5] : memref<16xi64>
        %at_4 = arith.addi %at, %i4 : i64
        %polls = arith.index_cast %at_4 : i64 to index
        memref.store %k, %control[%polls] : memref<16xi64>
        %flag = memref.load %control[%c0] : memref<16xi64>
        %on = arith.cmpi eq, %flag, %i0 : i64
        scf.condition(%on) %k : i64
      } do {
      ^bb1(%k: i64):
        %k1 = arith.addi %k, %i1 : i64
        scf.yield %k1 : i64
      }
      scf.yield %stopped : i32
    } else {
      %big = arith.cmpf ogt, %x, %thousand : f64
      %l = arith.select %big, %limit, %ok : i32
      scf.yield %l : i32
    }
    %good = arith.cmpi eq, %waited, %ok : i32
    %step = arith.extui %good : i1 to i64
    %t1 = arith.addi %t, %step : i64
    scf.if %good {
      %t_i = arith.index_cast %t : i64 to index
      memref.store %new, %out[%t_i, %c0] : memref<?x1xf64>
      %n = memref.load %si[%c1] : memref<2xi64>
      %n1 = arith.addi %n, %i1 : i64
      memref.store %n1, %si[%c1] : memref<2xi64>
    }
    scf.yield %t1, %waited : i64, i32
  }
  memref.store %done, %control[%c1] : memref<16xi64>
  memref.store %i0, %control[%c2] : memref<16xi64>
  func.return %status : i32
}
"""

PLAN = Plan(
    slots={
        slot.path: slot
        for slot in (
            PlanSlot("adder/param:gain", "pf", 0, (), "f64"),
            PlanSlot("adder/initial:state:total", "pf", 1, (), "f64"),
            PlanSlot("adder/state:total", "sf", 0, (), "f64"),
            PlanSlot("clock:run", "si", 0, (), "i64"),
            PlanSlot("clock:trial", "si", 1, (), "i64"),
            PlanSlot("adder/random:r", "rng", 0, (13,), "philox4x64"),
            PlanSlot("in:adder/x", "in", 0, (1,), "f64"),
            PlanSlot("out:adder/value", "out", 0, (1,), "f64"),
        )
    },
    sizes={"pf": 2, "pi": 0, "sf": 1, "si": 2, "rng": 13, "in": 1, "out": 1},
    nodes=["adder"],
    inputs=["adder/x"],
    outputs=["adder/value"],
    shown=1,
    controllers={},
    generators={"adder/random:r": GeneratorStart("philox4x64", 5, None)},
    pf=np.array([2.0, 0.0]),
    pi=np.zeros(1, np.int64),
    run_clocks=[0],
    restarts=[1],
)


def compiled(one_by_one: bool = False) -> Compiled:
    """The model above as native code."""
    module = parse(TEXT)
    lower_to(module, "llvm", since="loops")
    code = CompiledCode(compile_to_object(emit_llvm_ir(module)), ("run", "init"))
    entry = NativeEntry(code.address("run"), code.address("init"), code)
    return Compiled(NativeEngine(PLAN, entry, one_by_one), "run", "hand-written")
