"""Which bytes nothing wrote, or such bytes have decided, and where they arrive."""
