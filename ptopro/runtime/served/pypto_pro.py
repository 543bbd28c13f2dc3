"""Contents of `pypto_pro`: the package; `language` and `runtime` are its submodules."""

from ptopro import __version__
from ptopro.runtime.errors import PyptoError, PyptoValueError

__all__ = ["PyptoError", "PyptoValueError", "__version__"]
