"""What `vram-inference` shows besides its numbers: working, tables, charts, suggestions and notes."""
