// A decision: evidence is added up until it reaches a threshold.
cog.model @decide {
  cog.node @stimulus (%variable: tensor<1xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
    cog.yield %variable
  }
  cog.node @decision (%evidence: f64)
      params (%rate: f64 = 0.5, %noise: f64 = 0.3, %threshold: f64 = 1.0)
      states (%total: f64 = 0.0)
      random (%generator: !rng.state<xoshiro256> = @noise)
      -> (value: f64 = 0.0) until_finished max 1000 {
    %draw, %next = rng.normal %generator : !rng.state<xoshiro256> -> f64
    %drift = arith.mulf %rate, %evidence : f64
    %jitter = arith.mulf %noise, %draw : f64
    %step = arith.addf %drift, %jitter : f64
    %sum = arith.addf %total, %step : f64
    %size = math.absf %sum : f64
    %done = arith.cmpf oge, %size, %threshold : f64
    cog.yield %sum states(%sum) random(%next) finished(%done)
  }
  cog.input @stimulus
  cog.output @decision
  cog.project @stimulus -> @decision matrix dense<1.0> : tensor<1x1xf64>
  cog.schedule {
    cog.reset @decision when {
      %start = cog.at_trial_start
      cog.condition %start
    }
  }
}
rng.stream @noise xoshiro256 seed 1
