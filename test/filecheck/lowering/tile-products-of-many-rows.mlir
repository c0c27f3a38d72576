// If blocks have several vectors in a row, a tile of the right operand with all its columns stays where it is for all rows of a product of many.
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3}" | filecheck %s
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3}" | filecheck %s --check-prefix=PACK

// CHECK-LABEL: func.func private @cogir_product_0
// CHECK:         scf.for %k =
// CHECK:           scf.for %j =
// CHECK:             %[[B:.*]] = memref.subview %right[%k, %j] [250, 300] [1, 1]
// CHECK:             scf.for %i =
// CHECK:               %[[HEIGHT:.*]] = arith.minsi
// CHECK:               %[[A:.*]] = memref.subview %left[%i, %k] [%[[HEIGHT]], 250] [1, 1]
// CHECK:               %[[C:.*]] = memref.subview %result[%i, %j] [%[[HEIGHT]], 300] [1, 1]
// CHECK:               linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}} attrs =  {cog.tile = array<i64: 8>, cog.tile_most = array<i64: 16, 250, 360>}

// PACK-LABEL:  func.func private @cogir_product_0
// PACK:          scf.for %j =
// PACK:            func.call @cogir_pack_columns
// PACK:            scf.for %i =
// PACK:              func.call @cogir_pack_squares
// PACK:              func.call @cogir_blocks
func.func @many_rows(%x: memref<200x500xf64>, %w: memref<500x300xf64>, %y: memref<200x300xf64>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } ins(%x, %w : memref<200x500xf64>, memref<500x300xf64>) outs(%y : memref<200x300xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  }
  func.return
}
