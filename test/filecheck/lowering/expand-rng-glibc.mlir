// Where the C library's logarithm is a known one, a body takes its place in blocks of normals, so that their loops have no calls.
// RUN: cog-opt %s -p 'expand-rng{log=fused}' | filecheck %s
// RUN: cog-opt %s -p expand-rng | filecheck %s --check-prefix=CALLED

func.func @block(%r: memref<627xi64, strided<[1], offset: ?>>, %n: memref<312xf64, strided<[1], offset: ?>>) -> i64 {
  %count = func.call @cogir_rng_mt19937_normals(%r, %n) : (memref<627xi64, strided<[1], offset: ?>>, memref<312xf64, strided<[1], offset: ?>>) -> i64
  func.return %count : i64
}
func.func private @cogir_rng_mt19937_normals(memref<627xi64, strided<[1], offset: ?>>, memref<312xf64, strided<[1], offset: ?>>) -> i64

// CHECK:       func.func private @cogir_c_log(%x: f64) -> f64
// CHECK-NEXT:    call @cogir_c_log_fused
// CHECK:       func.func private @cogir_log_elsewhere_fused(%x: f64) -> f64
// CHECK:         memref.get_global
// CHECK:         math.fma

// CALLED:      func.func private @cogir_c_log(%x: f64) -> f64
// CALLED-NEXT:   call @log(%x)
