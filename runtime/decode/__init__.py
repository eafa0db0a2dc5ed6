"""From ops and the values they meet at run time to instructions."""
