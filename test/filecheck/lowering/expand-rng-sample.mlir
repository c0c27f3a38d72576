// A draw from a distribution is a call, one for each number, of a body that is compiled from the library for the kind of generator.
// RUN: cog-opt %s -p bufferize,expand-rng | filecheck %s

// CHECK:       func.func @step(%r: memref<627xi64, strided<[1], offset: ?>>
// CHECK-NEXT:    %v = func.call @cogir_rng_mt19937_gamma(%r, %a) : (memref<627xi64, strided<[1], offset: ?>>, f64) -> f64
// CHECK-NEXT:    func.return %v : f64
func.func @step(%r: !rng.state<mt19937>, %a: f64) -> (f64, !rng.state<mt19937>) {
  %v, %s = rng.sample "gamma" %r(%a) : !rng.state<mt19937>, (f64) -> f64
  func.return %v, %s : f64, !rng.state<mt19937>
}

// CHECK:       func.func @counts(
// CHECK:         affine.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:      %{{.*}} = func.call @cogir_rng_xoshiro256_binomial(%r, %n, %p)
// CHECK-NEXT:      memref.store
func.func @counts(%r: !rng.state<xoshiro256>, %n: i64, %p: f64) -> (tensor<3xi64>, !rng.state<xoshiro256>) {
  %v, %s = rng.sample "binomial" %r(%n, %p) : !rng.state<xoshiro256>, (i64, f64) -> tensor<3xi64>
  func.return %v, %s : tensor<3xi64>, !rng.state<xoshiro256>
}

// NumPy's small gamma draws are powers of the C library; the body is never inlined, and no state is copied.
// CHECK:       func.func private @pow(f64, f64) -> f64 attributes {cog.libm}
// CHECK:       func.func private @cogir_rng_mt19937_gamma(%words: memref<627xi64, strided<[1], offset: ?>>
// CHECK-SAME:    %shape: f64) -> f64 attributes {cog.inline = "never"}
// CHECK-NOT:   memref.copy
