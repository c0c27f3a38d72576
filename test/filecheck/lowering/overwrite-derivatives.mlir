// The first block of a batch overwrites the derivatives of a matrix that one large product is added to. Those of a part that two products
// are added to, or that something else reads, stay sums from zeros.
// RUN: cog-opt %s -p overwrite-derivatives --split-input-file | filecheck %s
// RUN: cog-opt %s -p overwrite-derivatives,tile-products --split-input-file | filecheck %s --check-prefix=TILES

#rows = affine_map<(k, i, j) -> (k, i)>
#columns = affine_map<(k, i, j) -> (k, j)>
#sums = affine_map<(k, i, j) -> (i, j)>

// CHECK-LABEL: func.func @gradients(
// CHECK-SAME:    %sum: memref<8000xf64> {cog.access = "update", cog.overwrites = array<i64: 1000, 5000>}
// CHECK-SAME:    %first: i1 {cog.first})
// CHECK:         %one = memref.expand_shape
// CHECK-NEXT:    scf.if %first {
// CHECK-NEXT:      linalg.generic {{.*}} outs(%one : memref<50x80xf64
// CHECK:             linalg.yield %{{.*}} : f64
// CHECK:         linalg.generic {{.*}} ins(%x, %y : memref<32x50xf64>, memref<32x80xf64>) outs(%one
// CHECK-NOT:     scf.if
// CHECK:         func.return

// TILES-LABEL: func.func @gradients(
// TILES:         func.call @cogir_product_0(%x, %y, %one, %first)
// TILES-NOT:     scf.if
// TILES:         func.call @cogir_product_1(%few, %y, %two)
// TILES-LABEL: func.func private @cogir_product_0(
// TILES:         scf.for %k =
// TILES:           %[[IS_FIRST:.*]] = arith.cmpi eq, %k
// TILES:           %[[BEGINS:.*]] = arith.andi %begins, %[[IS_FIRST]] : i1
// TILES:               scf.if %[[BEGINS]] {
// TILES:                 linalg.generic
// TILES:               linalg.generic {{.*}}cog.tile
func.func @gradients(
    %pf: memref<1xf64>, %pi: memref<1xi64>, %in: memref<32x1xf64>, %last: index, %sum: memref<8000xf64> {cog.access = "update"},
    %x: memref<32x50xf64>, %y: memref<32x80xf64>) {
  %part = memref.subview %sum[1000] [4000] [1] : memref<8000xf64> to memref<4000xf64, strided<[1], offset: 1000>>
  %one = memref.expand_shape %part [[0 : i64, 1 : i64]] output_shape [50, 80] : memref<4000xf64, strided<[1], offset: 1000>> into memref<50x80xf64, strided<[80, 1], offset: 1000>>
  linalg.generic {
    indexing_maps = [#rows, #columns, #sums], iterator_types = ["reduction", "parallel", "parallel"]
  } ins(%x, %y : memref<32x50xf64>, memref<32x80xf64>) outs(%one : memref<50x80xf64, strided<[80, 1], offset: 1000>>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  }
  %overlapping = memref.subview %sum[5000] [2000] [1] : memref<8000xf64> to memref<2000xf64, strided<[1], offset: 5000>>
  %two = memref.expand_shape %overlapping [[0 : i64, 1 : i64]] output_shape [25, 80] : memref<2000xf64, strided<[1], offset: 5000>> into memref<25x80xf64, strided<[80, 1], offset: 5000>>
  %few = memref.subview %x[0, 0] [32, 25] [1, 1] : memref<32x50xf64> to memref<32x25xf64, strided<[50, 1]>>
  linalg.generic {
    indexing_maps = [#rows, #columns, #sums], iterator_types = ["reduction", "parallel", "parallel"]
  } ins(%few, %y : memref<32x25xf64, strided<[50, 1]>>, memref<32x80xf64>) outs(%two : memref<25x80xf64, strided<[80, 1], offset: 5000>>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  }
  %zero = arith.constant 0 : index
  %other = memref.subview %sum[6999] [10] [1] : memref<8000xf64> to memref<10xf64, strided<[1], offset: 6999>>
  %read = memref.load %other[%zero] : memref<10xf64, strided<[1], offset: 6999>>
  memref.store %read, %other[%zero] : memref<10xf64, strided<[1], offset: 6999>>
  func.return
}

// -----

// A sum that is used as a whole stays as it is.
// CHECK-LABEL: func.func @gradients(
// CHECK-NOT:     cog.overwrites
// CHECK-NOT:     %first
func.func @gradients(%pf: memref<1xf64>, %pi: memref<1xi64>, %in: memref<32x1xf64>, %last: index, %sum: memref<8000xf64>) {
  %zero = arith.constant 0 : index
  %x = memref.load %sum[%zero] : memref<8000xf64>
  memref.store %x, %sum[%zero] : memref<8000xf64>
  func.return
}
