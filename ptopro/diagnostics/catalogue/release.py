"""PTO20xx releases."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import contract
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES = (
    Entry(
        code="PTO2001",
        title="a name that an operator cannot have",
        message="`{name}` cannot be the name of an operator",
        help="use letters, digits and underscores, not starting with a digit: `--op my_op`",
        explain="""The operator's name stands in file names, symbols and C++, so it is an identifier; a name with
slashes or dots would put files outside of the build directory.""",
        wrong="$ ptopro build --release kernel.py --op ../my-op",
        right="$ ptopro build --release kernel.py --op my_op",
    ),
    Entry(
        code="PTO2002",
        title="a release of several kernels under one name",
        message="a release holds one kernel, but these would be `{operator}`: {kernels}",
        help="choose one with `--kernel NAME`, or leave `--op` away to name each release for its kernel",
        explain="""An operator is one kernel with all its keys and element types.  Several kernels in one command
are several operators, each of which needs a name of its own.""",
        wrong="$ ptopro build --release two_kernels.py --op my_op",
        right="$ ptopro build --release two_kernels.py --op my_op --kernel first",
    ),
    Entry(
        code="PTO2003",
        title="another kernel's release is in the way",
        message="{folder} holds the release of kernel `{other}` of {source}; kernel `{kernel}` would replace it",
        help="give another name with `--op`, another folder with `-o`, or remove the old release",
        explain="""Two kernels of one operator name would overwrite each other's objects, and the host would load
whichever came last.""",
        wrong="$ ptopro build --release a.py --op my_op && ptopro build --release b.py --op my_op",
        right="$ ptopro build --release a.py --op my_op && ptopro build --release b.py --op other_op",
    ),
    Entry(
        code="PTO2004",
        title="a release needs element types",
        message="a release of kernel `{kernel}` needs its element types: {needed}",
        help="give each one; repeat an option for several types",
        explain="""A kernel with `datatype=` is compiled once for each choice of element types.  Which ones an
operator supports is its author's decision.""",
        wrong="$ ptopro build --release kernel.py --op my_op",
        right="$ ptopro build --release kernel.py --op my_op --dtype x=fp16 --dtype x=bf16",
    ),
    Entry(
        code="PTO2005",
        title="the description of a release is not one",
        message="{path} does not describe a release: {problem}",
        help="build the release again with `ptopro build --release`",
        explain="""The JSON file beside the objects of a release says which key is in which object.  This one is
damaged, was written by hand, or names files outside of its folder; nothing of it is loaded.""",
        wrong='"objects": [{"file": "../../other.o", ...}]',
        right="$ ptopro build --release kernel.py --op my_op",
    ),
    Entry(
        code="PTO2006",
        title="an object of a release is not the one that was built",
        message="{path} is not what the release was sealed with: {problem}",
        help="build the release again with `ptopro build --release`; nothing was loaded",
        explain="""The SHA-256 of every object stands in the release's JSON and is compared before anything is
loaded.  The object was changed, replaced or lost since.""",
        wrong="$ cp other.o build/my_op/kernel_meta/my_op.o && ptopro run build/my_op/kernel_meta/my_op.json",
        right="$ ptopro build --release kernel.py --op my_op && ptopro run build/my_op/kernel_meta/my_op.json",
    ),
    Entry(
        code="PTO2007",
        title="a key that the release does not have",
        message="the release of `{operator}` has no {given}",
        help="its keys: {keys}",
        explain="""A release holds the valid keys of its kernel.  Give the packed number, or the value of every field:
--key Mode=1,Tile=64.""",
        wrong="$ ptopro run build/my_op/kernel_meta/my_op.json --key 99",
        right="$ ptopro run build/my_op/kernel_meta/my_op.json --key Mode=1,Tile=64",
    ),
    Entry(
        code="PTO2008",
        title="a release that this machine cannot run",
        message="the release {path} cannot be run here: {reason}",
        help="build it for the simulator: `ptopro build --release --toolchain sim`",
        explain="""`ptopro run` loads simulator objects that were compiled against this version of ptopro.  Objects
for the device run on the device.""",
        wrong="$ ptopro run build/my_op/kernel_meta/my_op.json     # objects for the device",
        right="$ ptopro build --release --toolchain sim kernel.py --op my_op",
    ),
    Entry(
        code="PTO2009",
        title="inputs that do not fit a release",
        message="the inputs of `{operator}` do not fit: {problem}",
        help="its parameters are {parameters}",
        explain="""--inputs names an .npz file with an array for each tensor and pointer, and a number for each
scalar; --set gives single values, --zeros arrays that the kernel fills, --tiling the tiling data.""",
        wrong="$ ptopro run build/my_op/kernel_meta/my_op.json --inputs empty.npz",
        right="$ ptopro run build/my_op/kernel_meta/my_op.json --inputs in.npz --zeros out=fp32:128x128",
    ),
    Entry(
        code="PTO2010",
        title="the vendor's toolkit is not found",
        message="the vendor's compiler is not found: {reason}",
        help="set ASCEND_HOME_PATH to the toolkit, or build with `--toolchain sim`",
        explain="""Objects for the device are compiled by bisheng and linked by ld.lld, which come with the
vendor's toolkit.""",
        wrong="$ ptopro build --release --toolchain bisheng kernel.py     # without ASCEND_HOME_PATH",
        right="$ ASCEND_HOME_PATH=/usr/local/Ascend/latest ptopro build --release kernel.py",
    ),
    Entry(
        code="PTO2011",
        title="a kernel that cannot be the declared operator of torch",
        message="kernel `{kernel}` cannot be the operator {operator}: {problem}",
        help="see `ptopro.torch.custom_op`",
        explain="""A custom operator returns the kernel's output parameters and takes the others.  Each output is
declared like an input, or by a function of the inputs that gives its shape.""",
        wrong='custom_op("mine::add", add, outputs={"out": "nothing"})',
        right='custom_op("mine::add", add, outputs={"out": "x"})',
    ),
    *contract.ENTRIES,
)
