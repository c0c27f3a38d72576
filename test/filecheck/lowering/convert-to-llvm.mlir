// Everything below the loops becomes the llvm dialect; memrefs become bare pointers.
// RUN: cog-opt %s -p convert-to-llvm,verify-ssa --split-input-file | filecheck %s

// Rows that lie side by side are addressed by the machine's own arithmetic, strided ones by a sum of products.
// CHECK-LABEL: llvm.func @load(
// CHECK-SAME: %m: !llvm.ptr {llvm.align = 8 : i64, llvm.nonnull, llvm.noundef, llvm.noalias}
// CHECK-SAME: %s: !llvm.ptr {llvm.align = 8 : i64, llvm.dereferenceable = 200 : i64, llvm.nonnull, llvm.noundef}
func.func @load(%m: memref<?x3xf64> {llvm.noalias}, %s: memref<5x2xf64, strided<[5, 4]>>, %i: index, %j: index) -> f64 {
  // CHECK-NEXT: [[FIVE:%.*]] = llvm.mlir.constant(5) : i64
  // CHECK-NEXT: [[FOUR:%.*]] = llvm.mlir.constant(4) : i64
  // CHECK-NEXT: [[P:%.*]] = llvm.getelementptr inbounds %m[%i, %j] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<3 x f64>
  // CHECK-NEXT: %x = llvm.load [[P]] : !llvm.ptr -> f64
  %x = memref.load %m[%i, %j] : memref<?x3xf64>
  // CHECK-NEXT: [[ROW:%.*]] = llvm.mul %i, [[FIVE]] : i64
  // CHECK-NEXT: [[COLUMN:%.*]] = llvm.mul %j, [[FOUR]] : i64
  // CHECK-NEXT: [[PLACE:%.*]] = llvm.add [[ROW]], [[COLUMN]] : i64
  // CHECK-NEXT: [[Q:%.*]] = llvm.getelementptr inbounds %s{{\[}}[[PLACE]]{{\]}} : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %y = memref.load %s[%i, %j] : memref<5x2xf64, strided<[5, 4]>>
  %z = arith.addf %x, %y : f64
  func.return %z : f64
}

// -----

// What is asked for ahead may lie beyond the end of memory.
// CHECK-LABEL: llvm.func @ahead(
// CHECK:       [[P:%.*]] = llvm.getelementptr %m[%i, %j] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<3 x f64>
// CHECK-NEXT:  llvm.call_intrinsic "llvm.prefetch"([[P]], %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, i32, i32) -> ()
func.func @ahead(%m: memref<?x3xf64>, %i: index, %j: index) {
  memref.prefetch %m[%i, %j], read, locality<3>, data : memref<?x3xf64>
  func.return
}

// -----

// A local buffer is made once, at the top of the function, and constant addresses are written into getelementptr.
// CHECK-LABEL: llvm.func @buffer(
// CHECK-NEXT: [[ONE:%.*]] = llvm.mlir.constant(1) : i64
// CHECK-NEXT: [[M:%.*]] = llvm.alloca [[ONE]] x !llvm.array<12 x f64> {alignment = 64 : i64} : (i64) -> !llvm.ptr
func.func @buffer(%x: f64) -> f64 {
  cf.br ^bb1
^bb1:
  %m = memref.alloca() : memref<3x4xf64>
  %c2 = arith.constant 2 : index
  // CHECK: llvm.getelementptr inbounds [[M]][10] : (!llvm.ptr) -> !llvm.ptr, f64
  %part = memref.subview %m[0, 1] [3, 2] [1, 2] : memref<3x4xf64> to memref<3x2xf64, strided<[4, 2], offset: 1>>
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %m [[0, 1]] : memref<3x4xf64> into memref<12xf64>
  %c10 = arith.constant 10 : index
  memref.store %x, %flat[%c10] : memref<12xf64>
  %y = memref.load %part[%c2, %c1] : memref<3x2xf64, strided<[4, 2], offset: 1>>
  func.return %y : f64
}

// -----

// Functions over many trials ask for the longest vectors.
// CHECK: llvm.func internal @wide({{.*}}) -> f64 attributes {passthrough = ["nounwind", "noinline", ["prefer-vector-width", "512"]]}
func.func private @wide(%x: f64) -> f64 attributes {cog.inline = "never", cog.wide} {
  func.return %x : f64
}

// -----

// Private functions are internal; several results are a struct; functions of the C library are pure and left as they are.
// CHECK: llvm.func @log(f64) -> f64 attributes {passthrough = ["nounwind", "willreturn", "nobuiltin", ["memory", "0"]]}
func.func private @log(f64) -> f64 attributes {cog.libm}
// CHECK: llvm.func internal @two({{.*}}) -> !llvm.struct<(f64, i64)> attributes {passthrough = ["nounwind", "alwaysinline"]}
func.func private @two(%x: f64, %k: i64) -> (f64, i64) attributes {cog.inline = "always"} {
  // CHECK: %y = llvm.call @log(%x) : (f64) -> f64
  %y = func.call @log(%x) : (f64) -> f64
  // CHECK-NEXT: [[EMPTY:%.*]] = llvm.mlir.poison : !llvm.struct<(f64, i64)>
  // CHECK-NEXT: [[HALF:%.*]] = llvm.insertvalue %y, [[EMPTY]][0] : !llvm.struct<(f64, i64)>
  // CHECK-NEXT: [[BOTH:%.*]] = llvm.insertvalue %k, [[HALF]][1] : !llvm.struct<(f64, i64)>
  // CHECK-NEXT: llvm.return [[BOTH]] : !llvm.struct<(f64, i64)>
  func.return %y, %k : f64, i64
}
// CHECK: llvm.func @use({{.*}}) -> i64
func.func @use(%x: f64, %k: i64) -> i64 {
  // CHECK-NEXT: [[PAIR:%.*]] = llvm.call @two(%x{{.*}}, %k{{.*}}) : (f64, i64) -> !llvm.struct<(f64, i64)>
  // CHECK-NEXT: llvm.extractvalue [[PAIR]][0] : !llvm.struct<(f64, i64)>
  // CHECK-NEXT: %b = llvm.extractvalue [[PAIR]][1] : !llvm.struct<(f64, i64)>
  %a, %b = func.call @two(%x, %k) : (f64, i64) -> (f64, i64)
  func.return %b : i64
}

// -----

// What IEEE 754 fixes to the bit is an intrinsic; NaN wins in maximumf and loses in maxnumf.
// CHECK-LABEL: llvm.func @exact(
func.func @exact(%x: f64, %y: f64) -> f64 {
  // CHECK-NEXT: llvm.call_intrinsic "llvm.sqrt"(%x)
  %a = math.sqrt %x : f64
  // CHECK-NEXT: llvm.call_intrinsic "llvm.maximum"(
  %b = arith.maximumf %a, %y : f64
  // CHECK-NEXT: llvm.call_intrinsic "llvm.maximumnum"(
  %c = arith.maxnumf %b, %y : f64
  // CHECK-NEXT: llvm.call_intrinsic "llvm.fma"(
  %d = math.fma %a, %b, %c : f64
  func.return %d : f64
}
