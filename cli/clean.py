"""`ptopro clean`: remove what the other commands wrote, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click

from ptopro.build import layout
from ptopro.cli.output import Reporter
from ptopro.cli.settings import settings
from ptopro.release.names import HOST, KERNEL_META


@click.command(name="clean")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-o", "--build-dir", metavar="DIR", help="Where results were written [build].")
@click.option("--cache", is_flag=True, help="Also remove the cache of built kernels and the compiled simulator.")
@click.option("-q", "--quiet", is_flag=True, help="Do not print what was removed.")
def command(files: tuple[str, ...], build_dir: str | None, cache: bool, quiet: bool) -> None:
    """Remove the folders of kernels (of FILEs, else of all) from the build directory.

    Only folders that hold generated files go; the build directory itself goes when it is empty.
    """
    reporter = Reporter(quiet=quiet)
    root = Path(build_dir or settings()["build-dir"].value)
    stems = [layout.stem_of(name) for name in files]
    for manifest in sorted(root.glob(f"*/{KERNEL_META}/*.json")):
        if manifest.stem == manifest.parent.parent.name and (not stems or _source(manifest) in stems):
            _remove_release(manifest.parent.parent, reporter)
    for folder in sorted(root.glob("*/*")):
        if (not stems or folder.parent.name in stems) and _is_generated(folder):
            shutil.rmtree(folder)
            reporter.wrote(folder, True)
            _remove_empty(folder.parent)
    _remove_empty(root)
    if cache:
        from ptopro.build.cache import KINDS, cache_root

        for kind in KINDS:
            if (cache_root() / kind).is_dir():
                shutil.rmtree(cache_root() / kind)
                reporter.wrote(cache_root() / kind, True)


def _source(manifest: Path) -> str:
    """The stem of the kernel file that a release was built from; empty when it does not say."""
    try:
        return Path(json.loads(manifest.read_text())["source"]).stem
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _remove_release(folder: Path, reporter: Reporter) -> None:
    """Remove a release's objects, headers, and what stands for it in a Makefile."""
    for part in (folder / KERNEL_META, folder / HOST):
        if part.is_dir():
            shutil.rmtree(part)
            reporter.wrote(part, True)
    for suffix in (".stamp", ".d"):
        folder.with_suffix(suffix).unlink(missing_ok=True)
    _remove_empty(folder)


def _is_generated(folder: Path) -> bool:
    return folder.is_dir() and any(path.name in layout.KNOWN for path in folder.rglob("*"))


def _remove_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
