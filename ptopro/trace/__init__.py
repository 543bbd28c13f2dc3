"""`ptopro trace`: where the virtual time of a kernel goes.

One traced run of the expanded kernel gives events (ptopro/simulator/machine.py).  timeline: bars in rows -> chrome,
svg, html; critical: the longest chain; summary: busy shares, waits, the bound -> report.  costs: the time model's
figures.  sweep: the same for several settings, one table.  Virtual times are estimates.
"""
