// How a model learns, as text: what is learned, from which losses, by which optimizer with which numbers.
// RUN: cog-opt %s | filecheck %s
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s -p "complete-schedule,eliminate-scheduler,convert-cog-to-machine{learning=true},differentiate,cog-cse,cog-dce" | filecheck %s --check-prefix=MACHINE

// CHECK: cog.learn @learning mean by @descent params (rate: f64 = 0.1) states (steps: f64 = 0.0) {
// CHECK-NEXT: cog.learned @stimulus -> @output["variable"]
// CHECK-NEXT: cog.loss @square(@output, @target["value"])

// MACHINE: func.func @init
// MACHINE: func.func @gradient(%pf: tensor<{{[0-9]+}}xf64>, %pi: tensor<1xi64>, %in: tensor<3xf64>, %sum: tensor<2xf64>
// MACHINE-NOT: func.call @square
// MACHINE: func.func @optimize
// MACHINE: arith.divf
// MACHINE: func.call @descent
//
// MACHINE: learned = ["stimulus:value->output:variable/matrix"]
cog.model @association {
  cog.node @stimulus (%variable: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %variable
  }
  cog.node @target (%variable: tensor<1xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
    cog.yield %variable
  }
  cog.node @output (%variable: tensor<1xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
    %y = math.tanh %variable : tensor<1xf64>
    cog.yield %y
  }
  cog.project @stimulus -> @output matrix dense<0.5> : tensor<2x1xf64>
  cog.input @stimulus
  cog.input @target
  cog.output @output
  cog.learn @learning mean by @descent params (rate: f64 = 0.1) states (steps: f64 = 0.0) {
    cog.learned @stimulus -> @output["variable"]
    cog.loss @square(@output, @target["value"])
  }
}
func.func private @square(%a: tensor<1xf64>, %b: tensor<1xf64>) -> f64 {
  %0 = arith.constant 0 : index
  %x = tensor.extract %a[%0] : tensor<1xf64>
  %y = tensor.extract %b[%0] : tensor<1xf64>
  %d = arith.subf %x, %y : f64
  %s = arith.mulf %d, %d : f64
  func.return %s : f64
}
func.func private @descent(%w: tensor<2xf64>, %g: tensor<2xf64>, %rate: f64, %steps: f64) -> (tensor<2xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %n = arith.addf %steps, %one : f64
  %e = tensor.empty() : tensor<2xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%w, %g : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %rate, %b : f64
    %s = arith.subf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<2xf64>
  func.return %r, %n : tensor<2xf64>, f64
}
