"""What `import ptopro.language as pl` offers to Python: types, decorators, namespaces, and operations that only name.

Nothing here runs a kernel.  Names are loaded one by one when they are first used (see ptopro/language/__init__.py).
"""
