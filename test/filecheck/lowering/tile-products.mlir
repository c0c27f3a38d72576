// A product of matrices goes through tiles; they are packed, and computed in registers. Products of vectors stay as they are. A large one
// can be divided among threads, and one that is made by trial ends with the last trial that counts, in its rows or its terms.
// RUN: cog-opt %s -p tile-products | filecheck %s
// RUN: cog-opt %s -p tile-products,pack-products | filecheck %s --check-prefix=PACK
// RUN: cog-opt %s -p tile-products,pack-products,vectorize-products | filecheck %s --check-prefix=VECTOR
// RUN: cog-opt %s -p tile-products,pack-products,vectorize-products{fused=true} | filecheck %s --check-prefix=FUSED
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3},vectorize-products{fused=true}" | filecheck %s --check-prefix=THREE
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3},vectorize-products{ahead=16}" | filecheck %s --check-prefix=AHEAD
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3},vectorize-products{unroll=2}" | filecheck %s --check-prefix=UNROLL
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3}" | filecheck %s --check-prefix=FEW
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3},block-products{vectors=3}" | filecheck %s --check-prefix=BLOCK
// RUN: cog-opt %s -p "tile-products{rows=8 vectors=3},pack-products{vectors=3},block-products{vectors=3},vectorize-products" | filecheck %s --check-prefix=PLACE

// CHECK-LABEL: func.func @layer
// CHECK-NEXT:    func.call @cogir_product_0(%x, %w, %y) : (memref<30x300xf64>, memref<300x70xf64>, memref<30x70xf64>) -> ()
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func @vector
// CHECK-NEXT:    linalg.generic
// CHECK-LABEL: func.func @by_trial
// CHECK:         func.call @cogir_product_1(%{{.*}}, %{{.*}}, %x, %w, %y, %{{.*}}) {cog.parallel} : (index, index, memref<96x1000xf64>, memref<1000x1000xf64>, memref<96x1000xf64>, index) -> ()
// CHECK-LABEL: func.func private @cogir_product_0
// CHECK:         scf.for %k = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:           scf.for %i =
// CHECK:             %[[A:.*]] = memref.subview %left[%i, %k] [30, 300] [1, 1]
// CHECK:             scf.for %j =
// CHECK:               %[[WIDTH:.*]] = arith.minsi
// CHECK:               %[[B:.*]] = memref.subview %right[%k, %j] [300, %[[WIDTH]]] [1, 1]
// CHECK:               %[[C:.*]] = memref.subview %result[%i, %j] [30, %[[WIDTH]]] [1, 1]
// CHECK:               linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}} attrs =  {cog.tile = array<i64: 16>, cog.tile_most = array<i64: 32, 300, 64>}

// CHECK-LABEL: func.func private @cogir_product_1(%first: index, %last: index, %left: memref<96x1000xf64>, %right: memref<1000x1000xf64>, %result: memref<96x1000xf64>, %trials: index)
// CHECK:         %[[BEGIN:.*]] = arith.muli %first
// CHECK:         linalg.generic {{.*}} attrs =  {cog.tile = array<i64: 12, 24>, cog.tile_most = array<i64: 96, 334, 64>}

// CHECK-LABEL: func.func private @cogir_product_2({{.*}}, %trials: index)
// CHECK:         scf.for %k = %{{.*}} to %trials step
// CHECK:           %[[TERMS:.*]] = arith.minsi
// CHECK:           memref.subview %left[%k, %i] [%[[TERMS]], 60] [1, 1]

// PACK-LABEL:  func.func private @cogir_product_0
// PACK:          memref.alloca() : memref<9760xf64>
// PACK:          func.call @cogir_pack_squares
// PACK:          memref.alloca() : memref<19520xf64>
// PACK:          func.call @cogir_pack_vectors
// PACK:          func.call @cogir_blocks
// PACK-LABEL:  func.func private @cogir_pack_squares(%source: memref<?xf64, strided<[1], offset: ?>>, %begin: index, %row: index, %term: index, %rows: index, %terms: index, %copy: memref<?xf64, strided<[1], offset: ?>>, %reach: index, %block: index)
// PACK:          vector.create_mask
// PACK-COUNT-8:  vector.maskedload %source
// PACK:          vector.shuffle %{{.*}}, %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// PACK:          vector.shuffle %{{.*}}, %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
// PACK:          vector.shuffle %{{.*}}, %{{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// PACK:          vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// PACK:          vector.store %{{.*}}, %copy
// PACK-LABEL:  func.func private @cogir_blocks
// PACK:          memref.alloca() : memref<192xf64>
// PACK:          scf.for %jb =
// PACK:            scf.for %ib =
// PACK:              %[[WHOLE:.*]] = arith.andi
// PACK:              scf.if
// PACK:                func.call @cogir_copy_tile(%result
// PACK:              arith.select %[[WHOLE]], %result, %{{.*}} : memref<?xf64, strided<[1], offset: ?>>
// PACK:              linalg.generic {{.*}} attrs =  {cog.tile = array<i64: 12>}
// PACK:              linalg.generic {{.*}} attrs =  {cog.tile = array<i64: 16>}
// PACK:              linalg.generic {{.*}} attrs =  {cog.tile = array<i64: 24>}
// PACK:              scf.if
// PACK:                func.call @cogir_copy_tile(

// VECTOR-LABEL: func.func private @cogir_blocks
// VECTOR:         func.call @cogir_product_16x8
// VECTOR-LABEL: func.func private @cogir_product_16x8(%left: memref<?x16xf64>, %right: memref<?x8xf64>, %result: memref<?xf64, strided<[1], offset: ?>>, %begin: index, %row: index, %terms: index, %begins: i1)
// VECTOR:         scf.if %begins
// VECTOR:         } else {
// VECTOR-COUNT-16: vector.load %result
// VECTOR:         scf.for %k
// VECTOR-NEXT:      %[[ROW:.*]] = vector.load %right[%k
// VECTOR-NEXT:      %[[X:.*]] = memref.load %left[%k
// VECTOR-NEXT:      %[[ALL:.*]] = vector.broadcast %[[X]] : f64 to vector<8xf64>
// VECTOR-NEXT:      %[[PRODUCT:.*]] = arith.mulf %[[ALL]], %[[ROW]] : vector<8xf64>
// VECTOR-NEXT:      arith.addf %{{.*}}, %[[PRODUCT]] : vector<8xf64>
// VECTOR-COUNT-16: vector.store

// With three vectors in a row, columns at the edge take one vector after the other, or all three.
// THREE-LABEL:  func.func private @cogir_blocks
// THREE:          scf.if
// THREE:            func.call @cogir_product_8x24(
// THREE:          } else {
// THREE:            scf.for %v
// THREE:              func.call @cogir_product_8x8(
// THREE-SAME:           memref<?x8xf64, strided<[24, 1], offset: ?>>
// THREE-LABEL:  func.func private @cogir_product_8x24
// AHEAD-LABEL:  func.func private @cogir_product_8x24
// AHEAD:          scf.for %k =
// AHEAD:            %[[FURTHER:.*]] = arith.addi %k, %{{.*}} : index
// AHEAD-NEXT:       memref.prefetch %left[%[[FURTHER]], %{{.*}}], read, locality<3>, data : memref<?x8xf64>
// UNROLL-LABEL: func.func private @cogir_product_8x24
// UNROLL:         %[[REST:.*]] = arith.remui %terms, %{{.*}} : index
// UNROLL:         %[[WHOLE:.*]] = arith.subi %terms, %[[REST]] : index
// UNROLL:         scf.for %k = %{{.*}} to %[[WHOLE]] step %{{.*}} iter_args(
// UNROLL-COUNT-3:   vector.load %right[%k, %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// UNROLL:           %[[NEXT:.*]] = arith.addi %k, %{{.*}} : index
// UNROLL-COUNT-3:   vector.load %right[%[[NEXT]], %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// UNROLL:         scf.for %k{{.*}} = %[[WHOLE]] to %terms step %{{.*}} iter_args(
// UNROLL-COUNT-3:   vector.load %right[%k{{.*}}, %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// THREE:          %[[ONE:.*]] = vector.load %right[%k, %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// THREE-NEXT:     %[[TWO:.*]] = vector.load %right[%k, %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// THREE-NEXT:     %[[THREE:.*]] = vector.load %right[%k, %{{.*}}] : memref<?x24xf64>, vector<8xf64>
// THREE:          %[[X:.*]] = vector.broadcast
// THREE-NEXT:     vector.fma %[[X]], %[[ONE]],
// THREE-NEXT:     vector.fma %[[X]], %[[TWO]],
// THREE-NEXT:     vector.fma %[[X]], %[[THREE]],

// From 5 to 20 trials read their operands where they are, 32 terms of a large matrix at a time.
// FEW-LABEL:    func.func private @cogir_product_1
// FEW:            %[[MORE:.*]] = arith.subi %trials, %{{.*}} : index
// FEW:            %[[FEW:.*]] = arith.cmpi ule, %[[MORE]], %{{.*}} : index
// FEW:            scf.if %[[FEW]] {
// FEW:              scf.for %k =
// FEW:                %[[A:.*]] = memref.subview %left[0, %k] [%trials, %[[TERMS:.*]]] [1, 1]
// FEW:                %[[B:.*]] = memref.subview %right[%k, %[[J:.*]]] [%[[TERMS]], %[[WIDTH:.*]]] [1, 1]
// FEW:                %[[C:.*]] = memref.subview %result[0, %[[J]]] [%trials, %[[WIDTH]]] [1, 1]
// FEW:                linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}} attrs =  {cog.tile = array<i64: 5>, cog.in_place}
// FEW:            } else {
// FEW:              linalg.generic {{.*}} attrs =  {cog.tile = array<i64: 8>, cog.tile_most = array<i64: 96, 250, 72>}

// BLOCK-LABEL:  func.func private @cogir_product_1
// BLOCK:          func.call @cogir_blocks_in_place(
// BLOCK-LABEL:  func.func private @cogir_blocks_in_place(%left: memref<?xf64, strided<[1], offset: ?>>, %left_begin: index, %left_row: index, %right:
// BLOCK:          scf.for %jb =
// BLOCK:            arith.minsi
// BLOCK:            scf.for %ib =
// BLOCK:              arith.minsi
// BLOCK:              linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<?x5xf64, strided<[1, ?], offset: ?>>, memref<?x24xf64, strided<[?, 1], offset: ?>>) outs({{.*}} attrs =  {cog.tile = array<i64: 5>}
// BLOCK:              func.call @cogir_copy_tile(

// PLACE-LABEL:  func.func private @cogir_product_5x24_in_place(%left: memref<?xf64, strided<[1], offset: ?>>, %left_begin: index, %left_row: index, %right: memref<?xf64, strided<[1], offset: ?>>, %right_begin: index, %right_row: index, %result: memref<?xf64, strided<[1], offset: ?>>, %begin: index, %row: index, %terms: index, %begins: i1)
// PLACE:          scf.for %k =
// PLACE-NEXT:       arith.muli %k, %right_row : index
// PLACE:            vector.load %right[
// PLACE:            memref.load %left[

// FUSED-NOT:      arith.mulf %{{.*}} : vector<8xf64>
// FUSED:          vector.fma
func.func @layer(%x: memref<30x300xf64>, %w: memref<300x70xf64>, %y: memref<30x70xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %w : memref<30x300xf64>, memref<300x70xf64>) outs(%y : memref<30x70xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  }
  func.return
}

func.func @vector(%x: memref<300xf64>, %w: memref<300x70xf64>, %y: memref<70xf64>) {
  linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x, %w : memref<300xf64>, memref<300x70xf64>) outs(%y : memref<70xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  }
  func.return
}

func.func @by_trial(%x: memref<96x1000xf64>, %w: memref<1000x1000xf64>, %y: memref<96x1000xf64>, %last: index {cog.last}) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %w : memref<96x1000xf64>, memref<1000x1000xf64>) outs(%y : memref<96x1000xf64>) attrs = {cog.by_trial} {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %sum, %p : f64
    linalg.yield %n : f64
  }
  func.return
}

func.func @sum_over_trials(%x: memref<96x60xf64>, %y: memref<96x70xf64>, %sum: memref<60x70xf64>, %last: index {cog.last}) {
  linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (k, i)>, affine_map<(k, i, j) -> (k, j)>, affine_map<(k, i, j) -> (i, j)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%x, %y : memref<96x60xf64>, memref<96x70xf64>) outs(%sum : memref<60x70xf64>) attrs = {cog.by_trial} {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %n = arith.addf %s, %p : f64
    linalg.yield %n : f64
  }
  func.return
}
