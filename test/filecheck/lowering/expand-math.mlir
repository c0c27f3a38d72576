// Elementary functions become calls: of the library's definitions, or of the C library's functions.
// RUN: cog-opt %s -p expand-math | filecheck %s --check-prefixes=CHECK,PORTABLE
// RUN: cog-opt %s -p 'expand-math{math=libm}' | filecheck %s --check-prefixes=CHECK,LIBM
// RUN: cog-opt %s -p 'expand-math{contract=fast}' | filecheck %s --check-prefixes=FAST
// RUN: cog-opt %s -p 'expand-math{math=libm contract=fast}' | filecheck %s --check-prefixes=CHECK,LIBM

// CHECK:         func.func @logistic(%x: f64) -> f64 {
// CHECK:           %0 = arith.negf %x : f64
// PORTABLE-NEXT:   %1 = func.call @cogir_math_exp_f64(%0) : (f64) -> f64
// LIBM-NEXT:       %1 = func.call @exp(%0) : (f64) -> f64
// FAST:            %1 = func.call @cogir_math_exp_fast_f64(%0) : (f64) -> f64
// CHECK-NEXT:      %one = arith.constant 1.000000e+00 : f64
func.func @logistic(%x: f64) -> f64 {
  %0 = arith.negf %x : f64
  %1 = math.exp %0 : f64
  %one = arith.constant 1.0 : f64
  %2 = arith.addf %one, %1 : f64
  %3 = arith.divf %one, %2 : f64
  func.return %3 : f64
}

// Operations that every target has stay; the others are expanded.
// CHECK:         func.func @exact(%x: f64) -> f64 {
// CHECK-NEXT:      %0 = math.sqrt %x : f64
// CHECK-NEXT:      %1 = math.fma %0, %x, %0 : f64
// CHECK-NEXT:      %2 = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:      %3 = math.sqrt %1 : f64
// CHECK-NEXT:      %4 = arith.divf %2, %3 : f64
func.func @exact(%x: f64) -> f64 {
  %0 = math.sqrt %x : f64
  %1 = math.fma %0, %x, %0 : f64
  %2 = math.rsqrt %1 : f64
  func.return %2 : f64
}

// CHECK:         func.func @narrow(%x: f32, %y: f32) -> f32 {
// PORTABLE-NEXT:   %0 = func.call @cogir_math_pow_f32(%x, %y) : (f32, f32) -> f32
// LIBM-NEXT:       %0 = func.call @powf(%x, %y) : (f32, f32) -> f32
func.func @narrow(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  func.return %0 : f32
}

// Vectors go lane by lane.
// CHECK:         func.func @lanes(%x: vector<2xf64>) -> vector<2xf64> {
// CHECK:           %[[A:.*]] = vector.extract %x[0] : f64 from vector<2xf64>
// PORTABLE-NEXT:   %[[B:.*]] = func.call @cogir_math_tanh_f64(%[[A]]) : (f64) -> f64
// LIBM-NEXT:       %[[B:.*]] = func.call @tanh(%[[A]]) : (f64) -> f64
// CHECK:           vector.extract %x[1] : f64 from vector<2xf64>
func.func @lanes(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.tanh %x : vector<2xf64>
  func.return %0 : vector<2xf64>
}

// Those that have no shorter definition stay what they are, also inside; one on f32 calls that on f64.
// FAST:          func.func @narrow_exp(%x: f32) -> f32 {
// FAST-NEXT:       %0 = func.call @cogir_math_exp_fast_f32(%x) : (f32) -> f32
// FAST-NOT:      @cogir_math_exp_f64
// FAST:          func.func private @cogir_math_pow_f32(
// FAST:            func.call @cogir_math_pow_f64(
// FAST:          func.func private @cogir_math_exp_fast_f32(
// FAST:            func.call @cogir_math_exp_fast_f64(
func.func @narrow_exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  func.return %0 : f32
}

// Bodies come behind, callees first, and are put in the place of their calls by LLVM.
// PORTABLE:      func.func private @cogir_poly8(
// PORTABLE-SAME:   attributes {cog.inline = "always"}
// PORTABLE:      func.func private @cogir_math_exp_f64(%x: f64) -> f64 attributes {cog.inline = "always"} {
// PORTABLE:      func.func private @cogir_math_pow_f32(
// PORTABLE:        arith.extf
// PORTABLE:        func.call @cogir_math_pow_f64(
// PORTABLE:        arith.truncf

// LIBM:          func.func private @exp(f64) -> f64 attributes {cog.libm}
// LIBM-NEXT:     func.func private @powf(f32, f32) -> f32 attributes {cog.libm}
// LIBM-NEXT:     func.func private @tanh(f64) -> f64 attributes {cog.libm}
