// Buffers of the heap are parts of a workspace: each thread of a kernel has its own, and functions that it calls get what is left.
// RUN: cog-opt %s -p use-workspace | filecheck %s

// CHECK-LABEL: @inner
// CHECK-SAME:    %workspace: memref<832xi8>
// CHECK:         %buffer = memref.view %workspace[%{{.*}}][] : memref<832xi8> to memref<100xf64>
// CHECK-NOT:     memref.dealloc
func.func private @inner(%x: f64) -> f64 {
  %i = arith.constant 3 : index
  %buffer = memref.alloc() : memref<100xf64>
  memref.store %x, %buffer[%i] : memref<100xf64>
  %y = memref.load %buffer[%i] : memref<100xf64>
  memref.dealloc %buffer : memref<100xf64>
  func.return %y : f64
}

// 64 bytes of its own, and 832 for the function that it calls.
// CHECK-LABEL: @kernel
// CHECK-SAME:    %workspace: memref<?xi8>) attributes {nvvm.kernel, cog.workspace = 896 : i64}
// CHECK:         [[T:%.*]] = "gpu.thread_id"
// CHECK:         [[SIZE:%.*]] = arith.constant 896 : index
// CHECK:         [[START:%.*]] = arith.muli %{{.*}}, [[SIZE]]
// CHECK:         [[OWN:%.*]] = memref.view %workspace[[[START]]][] : memref<?xi8> to memref<896xi8>
// CHECK:         memref.view [[OWN]]
// CHECK:         [[SHIFT:%.*]] = arith.constant 64 : index
// CHECK:         [[REST:%.*]] = memref.view [[OWN]][[[SHIFT]]][] : memref<896xi8> to memref<832xi8>
// CHECK:         func.call @inner(%{{.*}}, [[REST]])
func.func @kernel(%m: memref<4xf64>) attributes {nvvm.kernel} {
  %i = arith.constant 0 : index
  %own = memref.alloc() : memref<8xf64>
  %x = memref.load %m[%i] : memref<4xf64>
  memref.store %x, %own[%i] : memref<8xf64>
  %z = memref.load %own[%i] : memref<8xf64>
  %y = func.call @inner(%z) : (f64) -> f64
  memref.store %y, %m[%i] : memref<4xf64>
  memref.dealloc %own : memref<8xf64>
  func.return
}
