// Linalg operations on memory become affine loops; a reduction is carried, not stored in each turn.
// RUN: cog-opt %s -p convert-linalg-to-loops --split-input-file | filecheck %s

// CHECK-LABEL: @product
// CHECK: affine.for %[[i:.*]] = 0 to 2
// CHECK-NEXT: %[[start:.*]] = affine.load %y[%[[i]]]
// CHECK-NEXT: %[[sum:.*]] = affine.for %[[j:.*]] = 0 to 3 iter_args(%[[acc:.*]] = %[[start]])
// CHECK-NEXT: %[[a:.*]] = affine.load %a[%[[i]], %[[j]]]
// CHECK-NEXT: %[[x:.*]] = affine.load %x[%[[j]]]
// CHECK-NEXT: arith.mulf %[[a]], %[[x]]
// CHECK-NEXT: arith.addf %[[acc]]
// CHECK: affine.store %[[sum]], %y[%[[i]]]
func.func @product(%a: memref<2x3xf64>, %x: memref<3xf64>, %y: memref<2xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : memref<2x3xf64>, memref<3xf64>) outs(%y : memref<2xf64>) {
  ^bb0(%u: f64, %v: f64, %acc: f64):
    %p = arith.mulf %u, %v : f64
    %s = arith.addf %acc, %p : f64
    linalg.yield %s : f64
  }
  func.return
}

// -----

// Input and output in one memory: every store stays in its turn.
// CHECK-LABEL: @overlapping
// CHECK-NOT: iter_args
// CHECK: affine.store
func.func @overlapping(%m: memref<4xf64>) {
  %x = memref.subview %m[0] [3] [1] : memref<4xf64> to memref<3xf64, strided<[1]>>
  %y = memref.subview %m[3] [1] [1] : memref<4xf64> to memref<1xf64, strided<[1], offset: 3>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3xf64, strided<[1]>>) outs(%y : memref<1xf64, strided<[1], offset: 3>>) {
  ^bb0(%v: f64, %acc: f64):
    %s = arith.addf %acc, %v : f64
    linalg.yield %s : f64
  }
  func.return
}

// -----

// linalg.index is the loop's index; an index that is computed is the map of the load; fill does not read.
// CHECK-LABEL: @reversed
// CHECK: affine.for %[[i:.*]] = 0 to 4
// CHECK-NEXT: affine.store %z, %y[%[[i]]]
// CHECK: affine.for %[[k:.*]] = 0 to 4
// CHECK-NEXT: affine.load %x[{{.*}}%[[k]]{{.*}}]
// CHECK: arith.index_cast %[[k]]
func.func @reversed(%x: memref<4xf64>, %y: memref<4xf64>, %z: f64) {
  linalg.fill ins(%z : f64) outs(%y : memref<4xf64>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf64>) outs(%y : memref<4xf64>) {
  ^bb0(%v: f64, %old: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %s = arith.mulf %f, %v : f64
    linalg.yield %s : f64
  }
  func.return
}

// -----

// A copy between memory with gaps is a loop; one between dense memory stays a copy.
// CHECK-LABEL: @copies
// CHECK: affine.for
// CHECK: "memref.copy"(%a, %b)
func.func @copies(%m: memref<2x4xf64>, %a: memref<2xf64>, %b: memref<2xf64>) {
  %column = memref.subview %m[0, 1] [2, 1] [1, 1] : memref<2x4xf64> to memref<2xf64, strided<[4], offset: 1>>
  "memref.copy"(%column, %a) : (memref<2xf64, strided<[4], offset: 1>>, memref<2xf64>) -> ()
  "memref.copy"(%a, %b) : (memref<2xf64>, memref<2xf64>) -> ()
  func.return
}

// -----

// By trial, elements of arrays of one shape are one loop, up to those of the last trial that counts; where an operand is the same in each
// trial, there is a loop over trials and one over the elements of each.
// CHECK-LABEL: @by_trial
// CHECK-SAME: %last: index {cog.last}
// CHECK: %[[X:.*]] = memref.collapse_shape %x {{\[\[}}0 : i64, 1 : i64]] : memref<100x30xf64> into memref<3000xf64>
// CHECK-NEXT: memref.collapse_shape %y
// CHECK-NEXT: affine.for %[[e:.*]] = 0 to affine_map<(d0) -> (((d0 * 30) + 30))>(%last)
// CHECK-NEXT: affine.load %[[X]][%[[e]]] : memref<3000xf64>
// CHECK:      affine.for %{{.*}} = 0 to affine_map<(d0) -> ((d0 + 1))>(%last)
// CHECK-NEXT: affine.for %{{.*}} = 0 to 30
func.func @by_trial(%x: memref<100x30xf64>, %b: memref<30xf64>, %y: memref<100x30xf64>, %last: index {cog.last}) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<100x30xf64>) outs(%y : memref<100x30xf64>) attrs = {cog.by_trial} {
  ^bb0(%v: f64, %old: f64):
    %s = arith.mulf %v, %v : f64
    linalg.yield %s : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : memref<100x30xf64>, memref<30xf64>) outs(%y : memref<100x30xf64>) attrs = {cog.by_trial} {
  ^bb0(%v: f64, %w: f64, %old: f64):
    %s = arith.addf %v, %w : f64
    linalg.yield %s : f64
  }
  func.return
}
