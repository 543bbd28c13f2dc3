"""ptopro: a source-to-source transpiler for the PyPTO Professional kernel language."""

from pathlib import Path

__version__ = "0.1.0"

# In a source checkout the packages ptopro.cli and ptopro.codegen_templates lie beside this folder (see setup.py).
if not Path(__path__[0], "cli").is_dir():
    __path__.append(str(Path(__path__[0]).parent))
