"""The kernel as WebAssembly, and the brain that a page has with it."""
