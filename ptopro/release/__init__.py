"""Releases: a kernel's valid keys and element types as the objects of an operator, and how they are run.

names       what files and symbols of a release are called, and which names are refused
instances   keys x element types that a release holds
simulated   its build graph with the host's compiler
device      its build graph with the vendor's compiler
manifest    <op>.json: what it says, and reading it with every checksum verified
seal        the last step of the graph, which writes <op>.json
execute     load a release of simulator objects and launch one of its keys
"""
