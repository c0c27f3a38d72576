// Everything that a GPU lacks is named, with the function that uses it; NVPTX would end the process.
// RUN: cog-opt %s -p verify-nvptx --split-input-file --verify-diagnostics | filecheck %s

// CHECK: verify-nvptx: this module cannot become PTX:
// CHECK-SAME: @f: uses llvm.exp, which NVPTX does not support; run expand-math, which replaces it by a function of the module
// CHECK-SAME: @f: uses llvm.frem, which NVPTX computes with rounding errors; use fmod of the library
// CHECK-SAME: @f: calls @log, which has no body: functions of the C library do not exist on a GPU; lower the model with expand-math{math=portable}
llvm.func @log(f64) -> f64
llvm.func @f(%x: f64, %y: f64) -> f64 {
  %a = llvm.call_intrinsic "llvm.exp"(%x) : (f64) -> f64
  %b = llvm.frem %a, %y : f64
  %c = llvm.call @log(%b) : (f64) -> f64
  llvm.return %c : f64
}

// -----

// CHECK: @kernel: has a value of type f16; a GPU has whole numbers of 1, 8, 16, 32, 64, 128 bits, f32, f64 and short vectors of them
// CHECK-SAME: @kernel: is a kernel and has a result; write it into memory
llvm.func @kernel(%x: f16) -> i64 attributes {nvvm.kernel} {
  %a = llvm.mlir.constant(1) : i64
  llvm.return %a : i64
}

// -----

// CHECK: @cogir_rng_mt19937_normal: calls @log, which has no body: NumPy's generators need functions of the C library to the bit
llvm.func @log(f64) -> f64
llvm.func @cogir_rng_mt19937_normal(%x: f64) -> f64 {
  %c = llvm.call @log(%x) : (f64) -> f64
  llvm.return %c : f64
}

// -----

// LLVM's parser takes such a reduction of whole numbers, and NVPTX ends the process.
// CHECK: @reduced: uses llvm.vector.reduce.fmaximum of what are no floating-point numbers
llvm.func @reduced(%v: vector<3xi64>) -> i64 {
  %r = llvm.call_intrinsic "llvm.vector.reduce.fmaximum"(%v) : (vector<3xi64>) -> i64
  llvm.return %r : i64
}

// -----

// What a kernel may use.
// CHECK: llvm.func @fine
llvm.func @fine(%p: !llvm.ptr, %x: f64) attributes {nvvm.kernel} {
  %t = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
  %r = llvm.call_intrinsic "llvm.sqrt"(%x) : (f64) -> f64
  llvm.store %r, %p : f64, !llvm.ptr
  llvm.return
}
