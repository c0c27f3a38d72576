// A part of an array that was put together is read from where it comes from.
// RUN: cog-opt %s -p forward-slices --split-input-file | filecheck %s
// RUN: cog-opt %s -p forward-slices,cog-dce --split-input-file | filecheck %s --check-prefix=DEAD

// CHECK-LABEL: @parts
// CHECK: %first = tensor.extract %x[%{{.*}}] : tensor<2xf64>
// CHECK-NEXT: %[[end:.*]] = tensor.extract_slice %y[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
// CHECK-NEXT: func.return %y, %first, %[[end]]
// DEAD-LABEL: @parts
// DEAD-NOT: tensor.empty
// DEAD-NOT: tensor.insert_slice
func.func @parts(%x: tensor<2xf64>, %y: tensor<2xf64>) -> (tensor<2xf64>, f64, tensor<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<2x2xf64>
  %a = tensor.insert_slice %x into %empty[0, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<2x2xf64>
  %b = tensor.insert_slice %y into %a[1, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<2x2xf64>
  %row = tensor.extract_slice %b[1, 0] [1, 2] [1, 1] : tensor<2x2xf64> to tensor<2xf64>
  %first = tensor.extract %b[%c0, %c1] : tensor<2x2xf64>
  %end = tensor.extract_slice %b[1, 1] [1, 1] [1, 1] : tensor<2x2xf64> to tensor<1xf64>
  func.return %row, %first, %end : tensor<2xf64>, f64, tensor<1xf64>
}

// -----

// The last piece that was put there counts. What comes from two pieces, from a place that is not known, or from an array that
// was not empty at first, is read as before.
// CHECK-LABEL: @overwritten
// DEAD-LABEL: @overwritten
// CHECK: %both = tensor.extract_slice %c[1] [2] [1]
// CHECK-NEXT: %any = tensor.extract %c[%i]
// CHECK: %from_bank = tensor.extract %bank1[%c0]
// CHECK-NEXT: func.return %s, %both, %any, %from_bank
func.func @overwritten(%x: tensor<3xf64>, %y: tensor<2xf64>, %s: f64, %i: index, %bank: tensor<3xf64>) -> (f64, tensor<2xf64>, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf64>
  %a = tensor.insert_slice %x into %empty[0] [3] [1] : tensor<3xf64> into tensor<4xf64>
  %b = tensor.insert %s into %a[%c1] : tensor<4xf64>
  %c = tensor.insert_slice %y into %b[2] [2] [1] : tensor<2xf64> into tensor<4xf64>
  %one = tensor.extract %c[%c1] : tensor<4xf64>
  %both = tensor.extract_slice %c[1] [2] [1] : tensor<4xf64> to tensor<2xf64>
  %any = tensor.extract %c[%i] : tensor<4xf64>
  %bank1 = tensor.insert %s into %bank[%c1] : tensor<3xf64>
  %from_bank = tensor.extract %bank1[%c0] : tensor<3xf64>
  func.return %one, %both, %any, %from_bank : f64, tensor<2xf64>, f64, f64
}

// -----

// A function that takes such an array apart is opened; one that works on it as a whole is called.
// CHECK-LABEL: @caller
// CHECK: %p = arith.addf
// CHECK: func.call @whole
// CHECK-NOT: func.call @rows
// CHECK-LABEL: func.func private @rows
func.func @caller(%x: f64, %y: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<2xf64>
  %a = tensor.insert %x into %empty[%c0] : tensor<2xf64>
  %b = tensor.insert %y into %a[%c1] : tensor<2xf64>
  %sum = func.call @rows(%b) : (tensor<2xf64>) -> f64
  %other = func.call @whole(%b, %c0) : (tensor<2xf64>, index) -> f64
  func.return %sum, %other : f64, f64
}
func.func private @rows(%v: tensor<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %left = tensor.extract %v[%c0] : tensor<2xf64>
  %right = tensor.extract %v[%c1] : tensor<2xf64>
  %p = arith.addf %left, %right : f64
  func.return %p : f64
}
func.func private @whole(%v: tensor<2xf64>, %i: index) -> f64 {
  %any = tensor.extract %v[%i] : tensor<2xf64>
  func.return %any : f64
}

// -----

// A piece may have been put together itself.
// CHECK-LABEL: @pieces_of_pieces
// CHECK-NOT: tensor.extract_slice %row
// CHECK: %[[part:.*]] = tensor.extract_slice %y[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
// CHECK: func.return %s, %[[part]]
// DEAD-LABEL: @pieces_of_pieces
// DEAD-NOT: tensor.insert
func.func @pieces_of_pieces(%s: f64, %y: tensor<2xf64>) -> (f64, tensor<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %short = tensor.empty() : tensor<3xf64>
  %a = tensor.insert %s into %short[%c0] : tensor<3xf64>
  %row = tensor.insert_slice %y into %a[1] [2] [1] : tensor<2xf64> into tensor<3xf64>
  %long = tensor.empty() : tensor<2x3xf64>
  %b = tensor.insert_slice %row into %long[1, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<2x3xf64>
  %first = tensor.extract %b[%c1, %c0] : tensor<2x3xf64>
  %last = tensor.extract_slice %b[1, 2] [1, 1] [1, 1] : tensor<2x3xf64> to tensor<1xf64>
  func.return %first, %last : f64, tensor<1xf64>
}

// -----

// A number that was put into its place is not an array of one number: it is read as before.
// CHECK-LABEL: @one_element
// DEAD-LABEL: @one_element
// CHECK: %r = tensor.extract_slice %a[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
func.func @one_element(%s: f64) -> tensor<1xf64> {
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<2xf64>
  %a = tensor.insert %s into %empty[%c1] : tensor<2xf64>
  %r = tensor.extract_slice %a[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
  func.return %r : tensor<1xf64>
}

// -----

// What is put together at a place that is not known cannot be told apart, so nothing is opened.
// CHECK-LABEL: @unknown_place
// CHECK: func.call @first
func.func @unknown_place(%x: tensor<2xf64>, %i: index) -> f64 {
  %empty = tensor.empty() : tensor<4xf64>
  %a = tensor.insert_slice %x into %empty[%i] [2] [1] : tensor<2xf64> into tensor<4xf64>
  %r = func.call @first(%a) : (tensor<4xf64>) -> f64
  func.return %r : f64
}
func.func private @first(%v: tensor<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %v[%c0] : tensor<4xf64>
  func.return %r : f64
}
