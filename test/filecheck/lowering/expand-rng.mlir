// Draws get their bodies, which update the words of the state in place.
// RUN: cog-opt %s -p bufferize,expand-rng | filecheck %s

// CHECK:       func.func @step(%r: memref<627xi64, strided<[1], offset: ?>>
// CHECK-NEXT:    %v = func.call @cogir_rng_mt19937_normal(%r)
// CHECK-NEXT:    func.return %v : f64
func.func @step(%r: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %v, %s = rng.normal %r : !rng.state<mt19937> -> f64
  func.return %v, %s : f64, !rng.state<mt19937>
}

// Draw number i of a counter-based generator is a function of i: loops of them read and write no state.
// CHECK:       func.func @sweep(%r: memref<3xi64, strided<[1], offset: ?>>
// CHECK:         %[[KEY:.*]] = memref.load %r
// CHECK:         %[[COUNTER:.*]] = memref.load %r
// CHECK:         %[[STREAM:.*]] = memref.load %r
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 5 {
// CHECK:             arith.constant 5 : i64
// CHECK:             %[[V:.*]] = func.call @cogir_rng_philox4x32_uniform_at(%[[KEY]], %{{.*}}, %[[STREAM]]) : (i64, i64, i64) -> f64
// CHECK-NEXT:        memref.store %[[V]], %{{.*}}[%[[I]], %[[J]]]
// CHECK:         %[[DRAWN:.*]] = arith.constant 10 : i64
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[COUNTER]], %[[DRAWN]] : i64
// CHECK:         memref.store %[[NEXT]], %r
func.func @sweep(%r: !rng.state<philox4x32>) -> (tensor<2x5xf64>, !rng.state<philox4x32>) {
  %v, %s = rng.uniform %r : !rng.state<philox4x32> -> tensor<2x5xf64>
  func.return %v, %s : tensor<2x5xf64>, !rng.state<philox4x32>
}

// Both sets of bodies, with the C library's logarithm for NumPy's legacy normals, and no copy of a state.
// CHECK:       func.func private @cogir_mt19937_twist(%words: memref<627xi64, strided<[1], offset: ?>>
// CHECK-SAME:    attributes {cog.inline = "never"}
// CHECK:       func.func private @log(f64) -> f64 attributes {cog.libm}
// CHECK:       func.func private @cogir_rng_mt19937_normal(%words: memref<627xi64, strided<[1], offset: ?>>
// CHECK-NOT:     memref.copy
// CHECK:       func.func private @cogir_rng_philox4x32_uniform_at(%key: i64, %counter: i64, %stream: i64) -> f64
// CHECK-NOT:   @cogir_rng_philox4x32_uniform(
