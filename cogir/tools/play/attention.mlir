// A controller chooses how much attention to pay: a search over two signals, whose costs grow exponentially.
cog.model @attention {
  cog.node @target (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @seen (%x: f64)
      params (%attention: f64 = 1.0, %bias: f64 = 0.0)
      random (%generator: !rng.state<xoshiro256> = @noise)
      -> (value: f64 = 0.0) {
    %draw, %next = rng.normal %generator : !rng.state<xoshiro256> -> f64
    %error = arith.divf %draw, %attention : f64
    %shifted = arith.addf %x, %bias : f64
    %y = arith.addf %shifted, %error : f64
    cog.yield %y random(%next)
  }
  cog.node @loss (%wanted: f64, %got: f64) -> (value: f64 = 0.0) {
    %difference = arith.subf %wanted, %got : f64
    %squared = arith.mulf %difference, %difference : f64
    cog.yield %squared
  }
  cog.input @target
  cog.output @loss
  cog.project @target -> @seen
  cog.project @target -> @loss["wanted"]
  cog.project @seen -> @loss["got"]
  cog.modulate @control["attention"] -> @seen["attention"] override
  cog.modulate @control["bias"] -> @seen["bias"] override
  cog.grid_search @control after minimize @loss["value"] ties first {
    cog.signal @attention levels [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0] initial 1.0
    cog.signal @bias levels [-1.0, -0.5, 0.0, 0.5, 1.0] initial 0.0
  }
}
rng.stream @noise xoshiro256 seed 1
