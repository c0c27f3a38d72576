"""What a modeller says: models, nodes, projections, schedules, controllers and learning, as records."""
