"""Pictures of models: what is drawn, where it stands, and how it is written as SVG, DOT and Mermaid."""
