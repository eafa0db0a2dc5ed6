"""What is known of a kernel's instructions: the bytes they touch, dependences, index ranges, a timeline."""
