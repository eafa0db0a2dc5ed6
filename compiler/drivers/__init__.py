"""What the command line tools do, and the ONNX backend."""
