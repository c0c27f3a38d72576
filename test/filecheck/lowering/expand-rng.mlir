// Draws get their bodies, which update the words of the state in place.
// RUN: cog-opt %s -p bufferize,expand-rng | filecheck %s

// CHECK:       func.func @step(%r: memref<627xi64, strided<[1], offset: ?>>
// CHECK-NEXT:    %v = func.call @cogir_rng_mt19937_normal(%r)
// CHECK-NEXT:    func.return %v : f64
func.func @step(%r: !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) {
  %v, %s = rng.normal %r : !rng.state<mt19937> -> f64
  func.return %v, %s : f64, !rng.state<mt19937>
}

// The bodies, with the C library's logarithm for NumPy's legacy normals, and no copy of a state.
// CHECK:       func.func private @cogir_mt19937_twist(%words: memref<627xi64, strided<[1], offset: ?>>
// CHECK-SAME:    attributes {cog.inline = "never"}
// CHECK:       func.func private @log(f64) -> f64 attributes {cog.libm}
// CHECK:       func.func private @cogir_rng_mt19937_normal(%words: memref<627xi64, strided<[1], offset: ?>>
// CHECK-NOT:     memref.copy
