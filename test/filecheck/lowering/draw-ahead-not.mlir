// What keeps normals from being made ahead: a state whose size is lost, and memory of the user's that is as large as a state.
// RUN: cog-opt %s --split-input-file -p draw-ahead | filecheck %s
// CHECK-NOT: cogir_rng_ahead_normal

#at = strided<[1], offset: ?>
func.func @trial(%pf: memref<1xf64, #at>, %pi: memref<1xi64, #at>, %in: memref<1xf64, #at>, %sf: memref<1xf64, #at>, %si: memref<1xi64, #at>,
                 %r: memref<627xi64, #at>, %out: memref<1xf64, #at>) -> i64 {
  %position = arith.constant 624 : index
  %any = "memref.cast"(%r) : (memref<627xi64, #at>) -> memref<?xi64, #at>
  %done = memref.load %any[%position] : memref<?xi64, #at>
  %x = func.call @cogir_rng_mt19937_normal(%r) : (memref<627xi64, #at>) -> f64
  func.return %done : i64
}
func.func private @cogir_rng_mt19937_normal(memref<627xi64, #at>) -> f64

// -----

#at = strided<[1], offset: ?>
func.func @trial(%pf: memref<1xf64, #at>, %pi: memref<1xi64, #at>, %in: memref<1xf64, #at>, %sf: memref<1xf64, #at>, %si: memref<627xi64, #at>,
                 %r: memref<627xi64, #at>, %out: memref<1xf64, #at>) -> i64 {
  %done = arith.constant 0 : i64
  %x = func.call @cogir_rng_mt19937_normal(%r) : (memref<627xi64, #at>) -> f64
  func.return %done : i64
}
func.func private @cogir_rng_mt19937_normal(memref<627xi64, #at>) -> f64
