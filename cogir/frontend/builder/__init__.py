"""Models as users describe them: nodes, projections, schedules, controllers and learning, as records."""
