"""What passes share: located errors, reports, the target of a module, run-time sizes."""
