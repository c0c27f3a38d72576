// A trial that records traces writes them into memory that the entry takes last; the functions that do so get bodies.
// RUN: cog-opt %s -p bufferize,add-entry | filecheck %s

// CHECK:      func.func private @trial({{.*}}%control: memref<16xi64>, %trace: memref<?xi64>) -> i64
// CHECK:        [[AT:%.*]] = func.call @cogir_trace_each({{.*}}, %control, %trace)
// CHECK:        func.call @cogir_trace_put([[AT]], {{.*}}, %control, %trace)
// CHECK:        func.call @cogir_trace_end({{.*}}, %control, %trace)
// CHECK:      func.func private @cogir_trace_each(%trace: i64, %words: i64, %control: memref<16xi64>, %memory: memref<?xi64>) -> i64 attributes {cog.inline = "always"}
// CHECK:        memref.load %memory
// CHECK:        scf.if
// CHECK:          memref.store {{.*}}, %memory
// CHECK:          memref.store {{.*}}, %control
// CHECK:      func.func private @cogir_trace_put(%at: i64, %word: i64, {{.*}}
// CHECK:        memref.store %word, %memory
// CHECK:      func.func private @cogir_trace_end(
// CHECK-NOT:  @cogir_trace_some
// CHECK:      func.func @run({{.*}}%control: memref<16xi64> {llvm.noalias}, %trace: memref<?xi64> {llvm.noalias}) -> i32
// CHECK:        func.call @trial({{.*}}%control, %trace)
func.func @trial(%pf: tensor<1xf64>, %pi: tensor<1xi64>, %in: tensor<3xf64>, %sf: tensor<2xf64> {cog.updates = 0 : i64},
                 %si: tensor<1xi64> {cog.updates = 1 : i64}) -> (tensor<2xf64>, tensor<1xi64>, tensor<1xf64>, i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = tensor.extract %in[%c0] : tensor<3xf64>
  %at = func.call @cogir_trace_each(%zero, %one) : (i64, i64) -> i64
  %bits = arith.bitcast %x : f64 to i64
  func.call @cogir_trace_put(%at, %bits) : (i64, i64) -> ()
  func.call @cogir_trace_end(%one) : (i64) -> ()
  %out = tensor.from_elements %x : tensor<1xf64>
  func.return %sf, %si, %out, %zero : tensor<2xf64>, tensor<1xi64>, tensor<1xf64>, i64
}
func.func private @cogir_trace_each(i64, i64) -> i64
func.func private @cogir_trace_put(i64, i64) -> ()
func.func private @cogir_trace_end(i64) -> ()
