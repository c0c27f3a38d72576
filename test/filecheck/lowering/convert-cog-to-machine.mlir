// A model with a static program becomes straight-line code: slots are loaded from the buffers, live as values from step
// to step, and are stored at the end. The recurrent unit sees its own value from before the step.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

cog.model @leaky {
  cog.node @stimulus (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %in
  }
  cog.node @unit (%in: tensor<1xf64>) params(%rate: f64 = 0.5) states(%x: tensor<1xf64> = dense<0.25>)
      -> (value: tensor<1xf64> = dense<0.0>) {
    %next = func.call @step(%in, %x, %rate) : (tensor<1xf64>, tensor<1xf64>, f64) -> tensor<1xf64>
    cog.yield %next states(%next)
  }
  cog.input @stimulus
  cog.project @stimulus -> @unit matrix dense<[[1.0], [-1.0]]> : tensor<2x1xf64>
  cog.project @unit -> @unit
  cog.output @unit
  cog.schedule layers [[@stimulus], [@unit]] {
    cog.program { cog.step [@stimulus] cog.step [@unit] }
  }
}

func.func private @step(%in: tensor<1xf64>, %x: tensor<1xf64>, %rate: f64) -> tensor<1xf64> {
  func.return %x : tensor<1xf64>
}

// Initial values begin the parameter buffers, in the order of the state buffers.
// CHECK:      func.func @init(%pf: tensor<7xf64>, %pi: tensor<1xi64>) -> (tensor<4xf64>, tensor<1xi64>) {
// CHECK:        [[SF:%.*]] = tensor.extract_slice %pf[0] [4] [1]
// CHECK-NEXT:   func.return [[SF]], {{.*}}

// CHECK:      func.func @trial(%pf: tensor<7xf64>, %pi: tensor<1xi64>, %in: tensor<2xf64>, %sf: tensor<4xf64> {cog.updates = 0 : i64}, %si: tensor<1xi64> {cog.updates = 1 : i64})
// CHECK:        [[MATRIX:%.*]] = tensor.expand_shape {{.*}} output_shape [2, 1]
// CHECK:        [[SENT:%.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%in, [[MATRIX]]
// CHECK:        %unit_value = tensor.extract_slice %sf[2] [1] [1]
// CHECK:        [[INPUT:%.*]] = linalg.generic {{.*}} ins([[SENT]], %unit_value
// CHECK:          arith.addf
// CHECK:        %unit_x = tensor.extract_slice %sf[3] [1] [1]
// CHECK-NEXT:   %unit_rate = tensor.extract %pf[{{.*}}]
// CHECK-NEXT:   [[NEXT:%.*]] = func.call @step([[INPUT]], %unit_x, %unit_rate)
// CHECK:        [[SF0:%.*]] = tensor.insert_slice %in into %sf[0] [2] [1]
// CHECK-NEXT:   [[SF1:%.*]] = tensor.insert_slice [[NEXT]] into [[SF0]][2] [1] [1]
// CHECK-NEXT:   [[SF2:%.*]] = tensor.insert_slice [[NEXT]] into [[SF1]][3] [1] [1]
// CHECK-NEXT:   func.return [[SF2]], %si, [[NEXT]], {{.*}} : tensor<4xf64>, tensor<1xi64>, tensor<1xf64>, i64
// CHECK-NOT:  cog.model
//
// CHECK: "unit/initial:port:value" = ["pf", 2 : i64, tensor<1xf64>]
// CHECK: "unit/initial:state:x" = ["pf", 3 : i64, tensor<1xf64>]
// CHECK: "unit/port:value" = ["sf", 2 : i64, tensor<1xf64>]
// CHECK: "unit/state:x" = ["sf", 3 : i64, tensor<1xf64>]
// CHECK: "unit/param:rate" = ["pf", 4 : i64, f64]
// CHECK: inputs = ["in:stimulus/in"]
// CHECK: outputs = ["out:unit/value"]
// CHECK: cog.defaults = {
// CHECK-NEXT: pf = dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 2.500000e-01, 5.000000e-01, 1.000000e+00, -1.000000e+00]>
