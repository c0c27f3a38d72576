"""
Decision models: node functions that integrate evidence until a choice is made, and give the choice and the response time.

Each execution is one Euler-Maruyama step, until the node has finished; `linear_ballistic_decision` needs one execution. `noise` is a
standard deviation per square root of time; times have the unit of `time_step_size`.
"""
