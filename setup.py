"""The packages: everything below ptopro/, plus two top-level folders that are installed inside it."""

from setuptools import find_packages, setup

INSIDE = {"ptopro.cli": "cli", "ptopro.codegen_templates": "codegen_templates"}

setup(
    packages=[*find_packages(include=["ptopro", "ptopro.*"]), *INSIDE],
    package_dir=INSIDE,
)
