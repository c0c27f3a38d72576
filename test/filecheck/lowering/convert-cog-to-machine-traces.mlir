// Values that are recorded are put into a trace after each execution, in the loop that repeats it; the trial says when it is over.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

cog.model @decide {
  cog.node @decision (%in: f64) params(%rate: f64 = 0.5) states(%x: tensor<6xf64> = dense<0.0>, %n: i64 = 0) -> (value: f64 = 0.0)
      until_finished {
    %one = arith.constant 1 : i64
    %more = arith.addi %n, %one : i64
    %done = arith.cmpi sgt, %more, %one : i64
    %value = arith.mulf %in, %rate : f64
    cog.yield %value states(%x, %more) finished(%done)
  }
  cog.input @decision
  cog.output @decision
  cog.record @decision
  cog.record @decision state "x" every 10
  cog.record @decision state "n"
  cog.schedule layers [[@decision]] {
    cog.program {
      cog.step [@decision]
    }
  }
}

// CHECK:      func.func @trial(
// CHECK:        scf.while
// CHECK:          [[VALUE:%.*]] = arith.mulf
// CHECK:          [[AT:%.*]] = func.call @cogir_trace_each(
// CHECK-NEXT:     [[BITS:%.*]] = arith.bitcast [[VALUE]] : f64 to i64
// CHECK-NEXT:     func.call @cogir_trace_put([[AT]], [[BITS]]) : (i64, i64) -> ()
// CHECK-NEXT:     [[AT:%.*]] = func.call @cogir_trace_some(
// CHECK-NEXT:     scf.for %word
// CHECK:            func.call @cogir_trace_put(
// CHECK:          func.call @cogir_trace_each(
// CHECK:          scf.condition
// CHECK:        func.call @cogir_trace_end({{.*}}) : (i64) -> ()
// CHECK:        func.return
// CHECK:      func.func private @cogir_trace_each(i64, i64) -> i64
// CHECK-NEXT: func.func private @cogir_trace_some(i64, i64, i64) -> i64
//
// CHECK: traces = [
// CHECK: ["decision/port:value", f64, 1 : i64, []]
// CHECK: ["decision/state:x", tensor<6xf64>, 10 : i64, []]
