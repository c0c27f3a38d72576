// What a trial reads of its parameters becomes constants: the model's own values, or those in `cog.folded`.
// RUN: cog-opt %s --split-input-file -p fold-parameters | filecheck %s
// RUN: cog-opt %s --split-input-file -p 'fold-parameters{keep="a/param:rate"}' | filecheck %s --check-prefix=KEPT

builtin.module attributes {
  cog.layout = {
    slots = {"a/param:rate" = ["pf", 0 : i64, f64], "a/param:weights" = ["pf", 1 : i64, tensor<2xf64>], "a/limit:executions" = ["pi", 0 : i64, i64]},
    sizes = {pf = 3 : i64, pi = 1 : i64, sf = 0 : i64, si = 0 : i64, rng = 0 : i64, in = 1 : i64, out = 1 : i64},
    nodes = [], generators = [], streams = [], inputs = [], outputs = []
  },
  cog.defaults = {pf = dense<[2.0, -0.0, 3.0]> : tensor<3xf64>, pi = dense<7> : tensor<1xi64>}
} {
  // CHECK-LABEL: @trial
  // CHECK: %rate = arith.constant 2.000000e+00 : f64
  // CHECK: %weights = arith.constant dense<[-0.000000e+00, 3.000000e+00]> : tensor<2xf64>
  // CHECK: %limit = arith.constant 7 : i64
  // KEPT-LABEL: @trial
  // KEPT: %rate = tensor.extract %pf
  // KEPT: %weights = arith.constant dense<[-0.000000e+00, 3.000000e+00]>
  // KEPT: %limit = arith.constant 7 : i64
  func.func @trial(%pf: tensor<3xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>) -> (f64, tensor<2xf64>, i64) {
    %0 = arith.constant 0 : index
    %rate = tensor.extract %pf[%0] : tensor<3xf64>
    %weights = tensor.extract_slice %pf[1] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %limit = tensor.extract %pi[%0] : tensor<1xi64>
    func.return %rate, %weights, %limit : f64, tensor<2xf64>, i64
  }

  // What a state starts from is not part of a trial.
  // CHECK-LABEL: @init
  // CHECK: tensor.extract %pf
  func.func @init(%pf: tensor<3xf64>, %pi: tensor<1xi64>) -> f64 {
    %0 = arith.constant 0 : index
    %rate = tensor.extract %pf[%0] : tensor<3xf64>
    func.return %rate : f64
  }
}

// -----

// A NaN stays where it is, and so does what an index from outside picks, if a NaN is near: the whole buffer is then no constant.
builtin.module attributes {
  cog.layout = {
    slots = {"a/param:rate" = ["pf", 0 : i64, f64], "a/param:weights" = ["pf", 1 : i64, tensor<2xf64>]},
    sizes = {pf = 3 : i64, pi = 0 : i64, sf = 0 : i64, si = 0 : i64, rng = 0 : i64, in = 1 : i64, out = 1 : i64},
    nodes = [], generators = [], streams = [], inputs = [], outputs = []
  },
  cog.defaults = {pf = dense<[2.0, 1.0, 3.0]> : tensor<3xf64>, pi = dense<0> : tensor<1xi64>},
  cog.folded = {pf = dense<[0x7FF8000000000000, 1.5, 2.5]> : tensor<3xf64>, pi = dense<0> : tensor<1xi64>}
} {
  // CHECK-LABEL: @trial
  // CHECK: %rate = tensor.extract %pf
  // CHECK: %weights = arith.constant dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf64>
  // CHECK: %one = tensor.extract %pf[%i]
  // KEPT-LABEL: @trial
  func.func @trial(%pf: tensor<3xf64>, %pi: tensor<1xi64>, %in: tensor<1xf64>, %i: index) -> (f64, tensor<2xf64>, f64) {
    %0 = arith.constant 0 : index
    %rate = tensor.extract %pf[%0] : tensor<3xf64>
    %weights = tensor.extract_slice %pf[1] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %one = tensor.extract %pf[%i] : tensor<3xf64>
    func.return %rate, %weights, %one : f64, tensor<2xf64>, f64
  }
}
