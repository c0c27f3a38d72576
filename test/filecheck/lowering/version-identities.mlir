// A linear function of an argument is skipped where it changes no number, if products that begin with zeros are all that read what it
// gives. If a product is added to what is there, it stays.
// RUN: cog-opt %s -p version-identities --split-input-file | filecheck %s
// RUN: cog-opt %s -p version-identities,tile-products --split-input-file | filecheck %s --check-prefix=TILES

#all = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, k, j) -> (i, k)>
#right = affine_map<(i, k, j) -> (k, j)>
#sums = affine_map<(i, k, j) -> (i, j)>

// CHECK-LABEL: func.func @linear(
// CHECK:         %[[VALUE:.*]] = memref.alloc() : memref<64x80xf64>
// CHECK-DAG:     %[[IS_ONE:.*]] = arith.cmpf oeq, %slope, %{{.*}} : f64
// CHECK-DAG:     %[[IS_ZERO:.*]] = arith.cmpf oeq, %intercept, %{{.*}} : f64
// CHECK:         %[[IS_SAME:.*]] = arith.andi %[[IS_ONE]], %[[IS_ZERO]] : i1
// CHECK-NEXT:    scf.if %[[IS_SAME]] {
// CHECK-NEXT:    } else {
// CHECK-NEXT:      linalg.generic {{.*}} ins(%x : {{.*}}) outs(%[[VALUE]] : memref<64x80xf64>) {
// CHECK:         %[[COMPUTED:.*]] = "memref.cast"(%[[VALUE]]) : (memref<64x80xf64>) -> memref<64x80xf64, strided<[80, 1], offset: ?>>
// CHECK-NEXT:    %source = arith.select %[[IS_SAME]], %x, %[[COMPUTED]] : memref<64x80xf64, strided<[80, 1], offset: ?>>
// CHECK:         linalg.generic {{.*}} ins(%source, %w :

// TILES-LABEL: func.func @linear(
// TILES:         func.call @cogir_product_0(%source, %w, %y, %{{.*}}) :
func.func @linear(%x: memref<64x80xf64, strided<[80, 1], offset: ?>> {cog.access = "read"}, %w: memref<80x40xf64>, %y: memref<64x40xf64>, %slope: f64, %intercept: f64) {
  %zero = arith.constant 0.0 : f64
  %value = memref.alloc() : memref<64x80xf64>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x80xf64, strided<[80, 1], offset: ?>>) outs(%value : memref<64x80xf64>) {
  ^bb0(%a: f64, %o: f64):
    %m = arith.mulf %a, %slope : f64
    %n = arith.addf %intercept, %m : f64
    linalg.yield %n : f64
  }
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%y : memref<64x40xf64>) {
  ^bb0(%o: f64):
    linalg.yield %zero : f64
  }
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]} ins(%value, %w : memref<64x80xf64>, memref<80x40xf64>) outs(%y : memref<64x40xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  }
  memref.dealloc %value : memref<64x80xf64>
  func.return
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, k, j) -> (i, k)>
#right = affine_map<(i, k, j) -> (k, j)>
#sums = affine_map<(i, k, j) -> (i, j)>

// CHECK-LABEL: func.func @added_to_what_is_there(
// CHECK-NOT:     arith.select
// TILES-LABEL: func.func @added_to_what_is_there(
// TILES:         func.call @cogir_product_0(%value, %w, %y) :
func.func @added_to_what_is_there(%x: memref<64x80xf64> {cog.access = "read"}, %w: memref<80x40xf64>, %y: memref<64x40xf64>, %slope: f64) {
  %value = memref.alloc() : memref<64x80xf64>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x80xf64>) outs(%value : memref<64x80xf64>) {
  ^bb0(%a: f64, %o: f64):
    %m = arith.mulf %a, %slope : f64
    linalg.yield %m : f64
  }
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]} ins(%value, %w : memref<64x80xf64>, memref<80x40xf64>) outs(%y : memref<64x40xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  }
  func.return
}
