"""ptopro: a source-to-source transpiler for the PyPTO Professional kernel language."""

__version__ = "0.1.0"
