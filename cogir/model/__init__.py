"""
The model as resolved from `cog` text: its graph and layers, its schedule, and the scheduler that both interpreter and compiler ask.
"""
