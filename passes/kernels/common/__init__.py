"""What the builders of all kernel forms share."""
