// Where nothing but normals is drawn from mt19937, these are made some ahead: the states are larger, and @run gives back what was not drawn.
// RUN: cog-opt %s -p draw-ahead | filecheck %s
// RUN: cog-opt %s -p draw-ahead,add-entry | filecheck %s --check-prefix=ENTRY

#at = strided<[1], offset: ?>

// CHECK:       func.func @trial
// CHECK-SAME:    %r: memref<688xi64, strided<[1], offset: ?>>
// CHECK:         func.call @cogir_rng_ahead_normal(%r) : (memref<688xi64, strided<[1], offset: ?>>) -> f64
// CHECK:       func.func private @cogir_rng_ahead_normal(memref<688xi64, strided<[1], offset: ?>>) -> f64
// CHECK-NOT:   mt19937

// ENTRY:       func.func @run(
// ENTRY-SAME:    %rng: memref<627xi64>
// ENTRY:         memref.alloca() {{.*}}: memref<688xi64>
// ENTRY:         memref.copy
// ENTRY:         scf.while
// ENTRY:         func.call @cogir_rng_ahead_back
// ENTRY-NEXT:    memref.copy
func.func @trial(%pf: memref<1xf64, #at>, %pi: memref<1xi64, #at>, %in: memref<1xf64, #at>, %sf: memref<1xf64, #at>, %si: memref<1xi64, #at>,
                 %r: memref<627xi64, #at>, %out: memref<1xf64, #at>) -> i64 {
  %zero = arith.constant 0 : index
  %done = arith.constant 0 : i64
  %x = func.call @cogir_rng_mt19937_normal(%r) : (memref<627xi64, #at>) -> f64
  memref.store %x, %out[%zero] : memref<1xf64, #at>
  func.return %done : i64
}
func.func private @cogir_rng_mt19937_normal(memref<627xi64, #at>) -> f64
