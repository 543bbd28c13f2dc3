"""PTO17xx toolchain."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1701",
        title="no C++ compiler",
        message="there is no C++ compiler that can build kernels on this machine",
        help="run `pip install ptopro[compiler]`, which brings one, or install g++ 11 / clang++ 14 or newer, "
        "or name one with PTOPRO_CXX",
        explain="""The simulator compiles kernel.cpp with the host's C++ compiler.  ptopro looks at PTOPRO_CXX and
CXX, then for g++ (11 or newer), clang++ (14 or newer) and the `ziglang` package, in this order.
`expand` and `codegen` need no compiler.""",
        wrong="$ ptopro build kernel.py          # on a machine without a compiler",
        right="$ pip install 'ptopro[compiler]'\n$ ptopro build kernel.py",
    ),
    Entry(
        code="PTO1702",
        title="the named C++ compiler cannot be used",
        message="{variable} names a C++ compiler that cannot be used: `{command}`: {reason}",
        help="correct {variable}, or unset it and ptopro looks for a compiler itself",
        explain="""A compiler that PTOPRO_CXX or CXX names is the one that is used; ptopro never silently takes
another. It must run, and be g++ 11, clang++ 14 or newer (C++20).  The value is a command line:
`CXX="ccache g++"` is fine.""",
        wrong="$ CXX=g++-9 ptopro build kernel.py",
        right="$ CXX=g++-12 ptopro build kernel.py",
    ),
    Entry(
        code="PTO1710",
        title="the C++ compiler rejected a kernel",
        message="the C++ compiler rejected kernel `{kernel}`: {first}",
        help="this is usually a defect of ptopro, not of the kernel; the whole output is in {log}",
        explain="""The generated kernel.cpp did not compile.  Lines of the compiler's output are mapped back to the
kernel file.  When kernel.cpp was edited by hand the message is about that edit; otherwise
please report it with the log.""",
        wrong="// kernel.cpp, edited by hand\nTLOAD(tile_a, a_global;",
        right="// kernel.cpp\nTLOAD(tile_a, a_global);",
    ),
    Entry(
        code="PTO1711",
        title="the simulator could not be compiled",
        message="the simulator's runtime could not be compiled with {compiler}: {first}",
        help="the whole output is in {log}",
        explain="""The instruction bodies of the simulator are compiled once for each compiler, with the compiler
of this machine.  That failed.  Another compiler may do (PTOPRO_CXX); please report the log.""",
        wrong="$ PTOPRO_CXX=/opt/broken/g++ ptopro build kernel.py",
        right="$ PTOPRO_CXX=g++ ptopro build kernel.py",
    ),
    Entry(
        code="PTO1712",
        title="the build tool ninja is missing",
        message="the build tool ninja is neither installed as a Python package nor on PATH",
        help="run `pip install ninja`",
        explain="""ptopro compiles with ninja, whose Python package is one of its dependencies. It has been
removed.""",
        wrong="$ pip uninstall ninja\n$ ptopro build kernel.py",
        right="$ pip install ninja\n$ ptopro build kernel.py",
    ),
    Entry(
        code="PTO1713",
        title="the compiler took too long",
        message="compiling kernel `{kernel}` took longer than {seconds:g} s and was stopped",
        help="give a longer time with `@pl.jit(compile_timeout=...)` or PTOPRO_COMPILE_TIMEOUT (seconds)",
        explain="""A compile is stopped after `compile_timeout` seconds (600 unless the kernel says otherwise), so
that a program never hangs in its build.""",
        wrong="@pl.jit(compile_timeout=1)",
        right="@pl.jit(compile_timeout=600)",
    ),
    Entry(
        code="PTO1714",
        title="a built kernel cannot be loaded",
        message="the built kernel `{path}` cannot be loaded: {reason}",
        help="build it again on this machine with `ptopro build`",
        explain="""A built kernel is machine code for the processor and the ptopro that built it.  It was moved
here from another machine, built by another version, or is not a kernel at all.""",
        wrong="$ scp other:build/add/add/add.so build/add/add/",
        right="$ ptopro build add.py",
    ),
    Entry(
        code="PTO1715",
        title="a compile launcher is missing",
        message="the compile launcher `{launcher}` is not on PATH",
        help="install it, or build without `--launcher`",
        explain="""`--launcher` puts a program before the compiler in every command: ccache keeps results, distcc and
icecc send compiles to other machines.  The program must be installed on this one.""",
        wrong="$ ptopro build --launcher distcc kernel.py     # without distcc",
        right="$ apt-get install distcc\n$ ptopro build --launcher distcc kernel.py",
    ),
    Entry(
        code="PTO1716",
        title="a build step failed",
        message="the build step `{label}` failed: {first}",
        help="the whole output is in {log}",
        explain="""A step that compiles no kernel (linking, sealing a release) did not end well.  The other steps
were finished; the next build goes on from there.""",
        wrong="$ ptopro build --release kernel.py     # with a linker that does not run",
        right="$ ptopro build --release kernel.py",
    ),
    Entry(
        code="PTO1717",
        title="ninja cannot run the build graph",
        message="ninja cannot run the build graph: {reason}",
        help="see what it says; `ptopro build --emit ninja` writes the graph for a look at it",
        explain="""ninja ended before it ran a step: a file that a step reads is missing, or the graph's folder
cannot be used.""",
        wrong="$ chmod -w build && ptopro build kernel.py",
        right="$ ptopro build kernel.py",
    ),
)
