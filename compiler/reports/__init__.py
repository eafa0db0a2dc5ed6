"""What is printed and written of compilations and runs."""
