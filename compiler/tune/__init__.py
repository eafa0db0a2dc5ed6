"""The search for a better plan: groups and tilings tried on the emulator's clock."""
