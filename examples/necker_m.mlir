builtin.module {
  cog.model @necker_m {
    cog.node @"a-0" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-1" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-2" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-3" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-4" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-5" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-6" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"a-7" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-0" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-1" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-2" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-3" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-4" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-5" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-6" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @"b-7" (%variable: tensor<1xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<1xf64> = dense<0.0>)
        -> (value: tensor<1xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>)
      cog.yield %0 states(%1)
    }
    cog.input @"a-0"["variable"]
    cog.input @"a-1"["variable"]
    cog.input @"a-2"["variable"]
    cog.input @"a-3"["variable"]
    cog.input @"a-4"["variable"]
    cog.input @"a-5"["variable"]
    cog.input @"a-6"["variable"]
    cog.input @"a-7"["variable"]
    cog.input @"b-0"["variable"]
    cog.input @"b-1"["variable"]
    cog.input @"b-2"["variable"]
    cog.input @"b-3"["variable"]
    cog.input @"b-4"["variable"]
    cog.input @"b-5"["variable"]
    cog.input @"b-6"["variable"]
    cog.input @"b-7"["variable"]
    cog.output @"a-0"["value"]
    cog.output @"a-1"["value"]
    cog.output @"a-2"["value"]
    cog.output @"a-3"["value"]
    cog.output @"a-4"["value"]
    cog.output @"a-5"["value"]
    cog.output @"a-6"["value"]
    cog.output @"a-7"["value"]
    cog.output @"b-0"["value"]
    cog.output @"b-1"["value"]
    cog.output @"b-2"["value"]
    cog.output @"b-3"["value"]
    cog.output @"b-4"["value"]
    cog.output @"b-5"["value"]
    cog.output @"b-6"["value"]
    cog.output @"b-7"["value"]
    cog.project @"a-0"["value"] -> @"a-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-0"["value"] -> @"a-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-0"["value"] -> @"a-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-0"["value"] -> @"b-0"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-1"["value"] -> @"a-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-1"["value"] -> @"a-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-1"["value"] -> @"a-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-1"["value"] -> @"b-1"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-2"["value"] -> @"a-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-2"["value"] -> @"a-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-2"["value"] -> @"a-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-2"["value"] -> @"b-2"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-3"["value"] -> @"a-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-3"["value"] -> @"a-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-3"["value"] -> @"a-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-3"["value"] -> @"b-3"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-4"["value"] -> @"a-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-4"["value"] -> @"a-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-4"["value"] -> @"a-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-4"["value"] -> @"b-4"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-5"["value"] -> @"a-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-5"["value"] -> @"a-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-5"["value"] -> @"a-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-5"["value"] -> @"b-5"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-6"["value"] -> @"a-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-6"["value"] -> @"a-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-6"["value"] -> @"a-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-6"["value"] -> @"b-6"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"a-7"["value"] -> @"a-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-7"["value"] -> @"a-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-7"["value"] -> @"a-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"a-7"["value"] -> @"b-7"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-0"["value"] -> @"a-0"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-0"["value"] -> @"b-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-0"["value"] -> @"b-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-0"["value"] -> @"b-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-1"["value"] -> @"a-1"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-1"["value"] -> @"b-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-1"["value"] -> @"b-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-1"["value"] -> @"b-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-2"["value"] -> @"a-2"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-2"["value"] -> @"b-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-2"["value"] -> @"b-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-2"["value"] -> @"b-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-3"["value"] -> @"a-3"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-3"["value"] -> @"b-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-3"["value"] -> @"b-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-3"["value"] -> @"b-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-4"["value"] -> @"a-4"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-4"["value"] -> @"b-0"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-4"["value"] -> @"b-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-4"["value"] -> @"b-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-5"["value"] -> @"a-5"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-5"["value"] -> @"b-1"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-5"["value"] -> @"b-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-5"["value"] -> @"b-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-6"["value"] -> @"a-6"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-6"["value"] -> @"b-2"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-6"["value"] -> @"b-5"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-6"["value"] -> @"b-7"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-7"["value"] -> @"a-7"["variable"] matrix dense<-2.0> : tensor<1x1xf64>
    cog.project @"b-7"["value"] -> @"b-3"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-7"["value"] -> @"b-4"["variable"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @"b-7"["value"] -> @"b-6"["variable"] matrix dense<1.0> : tensor<1x1xf64>
  }
  func.func private @linear(%variable: tensor<1xf64>, %slope: f64, %intercept: f64, %scale: f64, %offset: f64) -> tensor<1xf64> {
    %0 = tensor.empty() : tensor<1xf64>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<1xf64>) outs(%0 : tensor<1xf64>) {
    ^bb0(%2: f64, %3: f64):
      %4 = arith.mulf %2, %slope : f64
      %5 = arith.addf %4, %intercept : f64
      %6 = arith.mulf %scale, %5 : f64
      %7 = arith.addf %6, %offset : f64
      linalg.yield %7 : f64
    } -> tensor<1xf64>
    func.return %1 : tensor<1xf64>
  }
  func.func private @integrated_linear(%variable: tensor<1xf64>, %integration_rate: f64, %noise: f64, %slope: f64, %intercept: f64, %previous_value: tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>) {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.subf %0, %integration_rate : f64
    %3 = tensor.empty() : tensor<1xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable : tensor<1xf64>, tensor<1xf64>) outs(%3 : tensor<1xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %2, %4 : f64
      %8 = arith.mulf %integration_rate, %5 : f64
      %9 = arith.addf %7, %8 : f64
      %10 = arith.addf %9, %noise : f64
      linalg.yield %10 : f64
    } -> tensor<1xf64>
    %11 = func.call @linear(%value, %slope, %intercept, %0, %1) : (tensor<1xf64>, f64, f64, f64, f64) -> tensor<1xf64>
    func.return %11, %value : tensor<1xf64>, tensor<1xf64>
  }
}
