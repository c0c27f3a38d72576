// The columns of the inputs of a block of trials, which are read by ranges alone, become arguments.
// RUN: cog-opt %s -p split-inputs --split-input-file | filecheck %s

// One that is read twice is one argument; columns that nobody reads are none.
// CHECK-LABEL: func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %y: tensor<8x2xf64> {cog.columns = array<i64: 1, 3>}, %x: tensor<8x3xf64> {cog.columns = array<i64: 3, 6>}, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> (tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x2xf64>)
// CHECK-NEXT:    func.return %x, %x, %y
func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> (tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x2xf64>) {
  %x = tensor.extract_slice %in[0, 3] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  %y = tensor.extract_slice %in[0, 1] [8, 2] [1, 1] : tensor<8x6xf64> to tensor<8x2xf64>
  %again = tensor.extract_slice %in[0, 3] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  func.return %x, %again, %y : tensor<8x3xf64>, tensor<8x3xf64>, tensor<8x2xf64>
}

// CHECK-LABEL: func.func @trials(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>)
func.func @trials(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>) -> tensor<8x3xf64> {
  %x = tensor.extract_slice %in[0, 0] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  func.return %x : tensor<8x3xf64>
}

// -----

// Ranges that overlap stay columns of one matrix.
// CHECK-LABEL: func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64})
func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> (tensor<8x3xf64>, tensor<8x3xf64>) {
  %x = tensor.extract_slice %in[0, 0] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  %y = tensor.extract_slice %in[0, 2] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  func.return %x, %y : tensor<8x3xf64>, tensor<8x3xf64>
}

// -----

// So does a matrix of which somebody reads a single trial, or all.
// CHECK-LABEL: func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64})
func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> (tensor<8x3xf64>, tensor<1x3xf64>, tensor<8x6xf64>) {
  %x = tensor.extract_slice %in[0, 0] [8, 3] [1, 1] : tensor<8x6xf64> to tensor<8x3xf64>
  %y = tensor.extract_slice %in[0, 3] [1, 3] [1, 1] : tensor<8x6xf64> to tensor<1x3xf64>
  func.return %x, %y, %in : tensor<8x3xf64>, tensor<1x3xf64>, tensor<8x6xf64>
}

// -----

// A port of one number is a column, whose place may be an operand.
// CHECK-LABEL: func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %x: tensor<8xf64> {cog.columns = array<i64: 2, 3>}, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> tensor<8xf64>
func.func @gradients(%pf: tensor<9xf64>, %pi: tensor<1xi64>, %in: tensor<8x6xf64>, %last: index {cog.last}, %sum: tensor<6xf64> {cog.updates = 0 : i64}) -> tensor<8xf64> {
  %place = arith.constant 2 : index
  %x = tensor.extract_slice %in[0, %place] [8, 1] [1, 1] : tensor<8x6xf64> to tensor<8xf64>
  func.return %x : tensor<8xf64>
}
