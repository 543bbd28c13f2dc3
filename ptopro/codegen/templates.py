"""The C++ file skeletons in codegen_templates/, rendered with jinja2 (imported only when something is rendered)."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def template_folder() -> Path:
    """Where the templates are: inside the installed package, or beside it in a source checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "codegen_templates"
    return installed if installed.is_dir() else package.parent / "codegen_templates"


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render_template(template: str, /, **values: object) -> str:
    """The text of a template with its values."""
    return _environment().get_template(template).render(values)
