"""The operation table: one entry for each operation, grouped by what it does."""
