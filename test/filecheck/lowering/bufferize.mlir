// Tensors and generator states become memory that is updated in place.
// RUN: cog-opt %s -p bufferize --split-input-file | filecheck %s

// The state buffer is an argument that is updated; what is only read says so; the other tensor is a destination.
// CHECK: func.func @trial(%pf: memref<2xf64, {{.*}}> {cog.access = "read", {{.*}}}, %sf: memref<4xf64, {{.*}}> {cog.access = "update", {{.*}}}, %[[out:.*]]: memref<1xf64, {{.*}}> {cog.access = "write", {{.*}}}) -> i64
// CHECK: %x = memref.load %pf[%c1]
// CHECK: memref.store %x, %sf[%c0]
// CHECK: %[[port:.*]] = memref.subview %sf[2] [1] [1]
// CHECK: "memref.copy"(%[[port]], %[[out]])
// CHECK: func.return %status : i64
func.func @trial(%pf: tensor<2xf64>, %sf: tensor<4xf64> {cog.updates = 0 : i64}) -> (tensor<4xf64>, tensor<1xf64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %pf[%c1] : tensor<2xf64>
  %next = tensor.insert %x into %sf[%c0] : tensor<4xf64>
  %port = tensor.extract_slice %next[2] [1] [1] : tensor<4xf64> to tensor<1xf64>
  %status = arith.constant 0 : i64
  func.return %next, %port, %status : tensor<4xf64>, tensor<1xf64>, i64
}

// -----

// What a residual loop carries in memory is not carried any more.
// CHECK-LABEL: @residual
// CHECK: scf.while (%[[turn:.*]] = %zero) : (i64) -> i64
// CHECK: scf.condition(%more) %[[turn]] : i64
// CHECK: memref.store %x, %sf[%i]
// CHECK: scf.yield %n2 : i64
func.func @residual(%sf: tensor<4xf64> {cog.updates = 0 : i64}, %x: f64, %limit: i64) -> tensor<4xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s, %n = scf.while (%s = %sf, %n = %zero) : (tensor<4xf64>, i64) -> (tensor<4xf64>, i64) {
    %more = arith.cmpi slt, %n, %limit : i64
    scf.condition(%more) %s, %n : tensor<4xf64>, i64
  } do {
  ^bb0(%s1: tensor<4xf64>, %n1: i64):
    %i = arith.index_cast %n1 : i64 to index
    %s2 = tensor.insert %x into %s1[%i] : tensor<4xf64>
    %n2 = arith.addi %n1, %one : i64
    scf.yield %s2, %n2 : tensor<4xf64>, i64
  }
  func.return %s : tensor<4xf64>
}

// -----

// A draw moves the words of its generator on; a tensor is drawn number by number.
// CHECK-LABEL: @draws
// CHECK-SAME: %r: memref<13xi64, strided<[1], offset: ?>> {cog.access = "update"
// CHECK: %x = func.call @cogir_rng_philox4x64_normal(%r)
// CHECK: affine.for %[[i:.*]] = 0 to 2
// CHECK-NEXT: %[[u:.*]] = func.call @cogir_rng_philox4x64_uniform(%r)
// CHECK-NEXT: memref.store %[[u]], %{{.*}}[%[[i]]]
// CHECK: func.func private @cogir_rng_philox4x64_normal(memref<13xi64, strided<[1], offset: ?>>) -> f64
func.func @draws(%r: !rng.state<philox4x64>) -> (f64, tensor<2xf64>, !rng.state<philox4x64>) {
  %x, %r1 = rng.normal %r : !rng.state<philox4x64> -> f64
  %u, %r2 = rng.uniform %r1 : !rng.state<philox4x64> -> tensor<2xf64>
  func.return %x, %u, %r2 : f64, tensor<2xf64>, !rng.state<philox4x64>
}

// -----

// Every point of a search starts from the same state: a fresh copy per turn, in memory that is taken once.
// CHECK-LABEL: @search
// CHECK: %[[copy:.*]] = memref.alloca() : memref<4xf64>
// CHECK: scf.for
// CHECK-NEXT: "memref.copy"(%sf, %[[copy]])
// CHECK-NEXT: memref.store %x, %[[copy]][%i]
func.func @search(%sf: tensor<4xf64> {cog.updates = 0 : i64}, %x: f64) -> (tensor<4xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %best = scf.for %i = %c0 to %c4 step %c1 iter_args(%b = %x) -> (f64) {
    %moved = tensor.insert %x into %sf[%i] : tensor<4xf64>
    %y = tensor.extract %moved[%c0] : tensor<4xf64>
    %z = arith.minimumf %b, %y : f64
    scf.yield %z : f64
  }
  func.return %sf, %best : tensor<4xf64>, f64
}

// -----

// A table that is filled and then becomes part of a buffer is filled there.
// CHECK-LABEL: @filled
// CHECK-NOT: memref.alloca
// CHECK: scf.for %i
// CHECK-NEXT: %old = memref.load %sf[%c0]
// CHECK-NEXT: %y = arith.addf %x, %old
// CHECK-NEXT: memref.store %y, %[[table:.*]][%i]
// CHECK-NOT: memref.copy
// CHECK: memref.store %x, %sf[%c0]
func.func @filled(%sf: tensor<4xf64> {cog.updates = 0 : i64}, %x: f64) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty() : tensor<3xf64>
  %table = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %empty) -> (tensor<3xf64>) {
    %old = tensor.extract %sf[%c0] : tensor<4xf64>
    %y = arith.addf %x, %old : f64
    %t1 = tensor.insert %y into %t[%i] : tensor<3xf64>
    scf.yield %t1 : tensor<3xf64>
  }
  %sf1 = tensor.insert %x into %sf[%c0] : tensor<4xf64>
  %sf2 = tensor.insert_slice %table into %sf1[1] [3] [1] : tensor<3xf64> into tensor<4xf64>
  func.return %sf2 : tensor<4xf64>
}

// -----

// So is one that a function fills.
// CHECK-LABEL: @filled_by_call
// CHECK-NOT: memref.alloca
// CHECK: %[[part:.*]] = memref.subview %sf[1] [3] [1]
// CHECK: func.call @fill(%[[part]], %x)
// CHECK-NOT: memref.copy
// CHECK: func.func private @fill
func.func @filled_by_call(%sf: tensor<4xf64> {cog.updates = 0 : i64}, %x: f64) -> tensor<4xf64> {
  %empty = tensor.empty() : tensor<3xf64>
  %table = func.call @fill(%empty, %x) : (tensor<3xf64>, f64) -> tensor<3xf64>
  %sf1 = tensor.insert_slice %table into %sf[1] [3] [1] : tensor<3xf64> into tensor<4xf64>
  func.return %sf1 : tensor<4xf64>
}
func.func private @fill(%t: tensor<3xf64> {cog.updates = 0 : i64}, %x: f64) -> tensor<3xf64> {
  %c1 = arith.constant 1 : index
  %t1 = tensor.insert %x into %t[%c1] : tensor<3xf64>
  func.return %t1 : tensor<3xf64>
}

// -----

// But not where the old elements are still read: it has memory of its own, and is copied.
// CHECK-LABEL: @old_is_read
// CHECK: %[[own:.*]] = memref.alloca() : memref<3xf64>
// CHECK: %old = memref.load %sf[%{{.*}}]
// CHECK-NEXT: memref.store %old, %[[own]][%i]
// CHECK: "memref.copy"(%[[own]], %{{.*}})
func.func @old_is_read(%sf: tensor<4xf64> {cog.updates = 0 : i64}) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty() : tensor<3xf64>
  %table = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %empty) -> (tensor<3xf64>) {
    %mirrored = arith.subi %c3, %i : index
    %old = tensor.extract %sf[%mirrored] : tensor<4xf64>
    %t1 = tensor.insert %old into %t[%i] : tensor<3xf64>
    scf.yield %t1 : tensor<3xf64>
  }
  %sf1 = tensor.insert_slice %table into %sf[1] [3] [1] : tensor<3xf64> into tensor<4xf64>
  func.return %sf1 : tensor<4xf64>
}

// -----

// Constant arrays are globals; equal elements are filled in where they are changed.
// CHECK-LABEL: @constants
// CHECK: memref.get_global @constant_0
// CHECK: linalg.fill
// CHECK: "memref.global"() <{sym_name = "constant_0"
func.func @constants(%i: index, %x: f64) -> (f64, tensor<3xf64>) {
  %table = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %v = tensor.extract %table[%i] : tensor<3xf64>
  %t = tensor.insert %x into %zeros[%i] : tensor<3xf64>
  func.return %v, %t : f64, tensor<3xf64>
}

// -----

// What works on memory already stays as it is.
// CHECK-LABEL: @in_memory
// CHECK: linalg.generic
// CHECK-SAME: ins(%x : memref<2xf64>) outs(%y : memref<2xf64>)
func.func @in_memory(%x: memref<2xf64>, %y: memref<2xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<2xf64>) outs(%y : memref<2xf64>) {
  ^bb0(%u: f64, %v: f64):
    linalg.yield %u : f64
  }
  func.return
}
