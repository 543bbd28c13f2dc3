"""`ptopro check`: run a kernel in every form it has, with every check of the machine, and compare bit by bit.

request (what was asked) -> shapes, inputs (arrays and numbers) -> builds (serial, sync-only, expanded) -> runs
(schedules, checks) -> compare, reference -> kernel_check -> report, cases.  memory_map stands by itself: what lies
where on the chip.
"""
