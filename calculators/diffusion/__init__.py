"""Memory of image and video generation: components, tokens, buffers, offload. Pure functions over catalog records."""
