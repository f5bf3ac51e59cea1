"""The kernel as WebAssembly, and the web app's worker that runs it."""
