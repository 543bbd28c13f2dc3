"""Tiling keys: packing, is_valid in all its forms, enumeration, and classes that are no keys."""

from __future__ import annotations

import itertools

import pytest
from frontend_files import HEADER, clean, diagnostics
from hypothesis import given, settings
from hypothesis import strategies as st

from ptopro.diagnostics import Sink
from ptopro.frontend import keys
from ptopro.frontend.keys import KeySchema, key_schema, valid_keys

KERNEL = "\n@pl.jit(tiling_key=Key)\ndef k(a: pl.Ptr[pl.DT_FP32]):\n    pass\n"


def text(fields: list[str], is_valid: str = "", kernel: str = KERNEL) -> str:
    lines = [f"    {field}" for field in fields]
    if is_valid:
        lines += ["    def is_valid(self, key):", *(f"        {line}" for line in is_valid.splitlines())]
    return "\n".join([HEADER, "class Key:", *lines, kernel])


def field(name: str, bits: int, values: list[int]) -> str:
    return f"{name} = pl.TilingKeyField(bits={bits}, values={values})"


def schema(fields: list[str], is_valid: str = "") -> KeySchema:
    found = key_schema(clean(text(fields, is_valid)).kernel("k"))
    assert found is not None
    return found


def accepted(of: KeySchema) -> list[tuple[int, ...]]:
    """The valid combinations; the class has nothing wrong with it."""
    sink = Sink()
    found = valid_keys(of, sink)
    assert sink.diagnostics == []
    return [key.values for key in found]


def refused(of: KeySchema):
    sink = Sink()
    assert valid_keys(of, sink) == ()
    (only,) = sink.diagnostics
    return only


ABC = [field("A", 2, [16, 64, 128]), field("B", 1, [1, 0]), field("C", 5, [7, -3])]


def test_indices_are_packed_from_bit_0_up():
    found = schema(ABC)
    assert [(f.name, f.shift, f.bits) for f in found.fields] == [("A", 0, 2), ("B", 2, 1), ("C", 3, 5)]
    assert found.pack({"A": 128, "B": 0, "C": -3}) == 0b01_1_10
    assert found.pack({"A": 16, "B": 1, "C": 7}) == 0
    assert (found.count, found.bits) == (12, 8)


def test_all_64_bits_are_used():
    found = schema([field("Low", 63, [0, 1]), field("High", 1, [0, 1])])
    assert found.pack({"Low": 1, "High": 1}) == 1 << 63 | 1


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_packing_is_undone(data):
    names = data.draw(st.lists(st.sampled_from("PQRSTU"), min_size=1, unique=True))
    fields = []
    for name in names:
        bits = data.draw(st.integers(1, 10))
        values = data.draw(st.lists(st.integers(-9, 1000), min_size=1, max_size=min(4, 2**bits), unique=True))
        fields.append(field(name, bits, values))
    found = schema(fields)
    seen = {}
    for key in found.combinations():
        assert found.values_of(key.packed) == key.fields
        assert seen.setdefault(key.packed, key) is key
    assert found.values_of(1 << found.bits) is None


def test_a_packed_key_of_no_combination():
    assert schema(ABC).values_of(0b011) is None  # A has no fourth value


VALIDITIES = [
    "return key[0] == 16 or key[1] == 0",
    "a, b, c = key\nif a == 128 and c < 0:\n    return False\nreturn a != 64",
    "a, b, c = key\nreturn (a + b + c) % 2 == 0",
    "return key in [(16, 1, 7), (128, 0, -3)]",
    "return key != (16, 1, 7)",
    "return all(v > 0 for v in key)",
    "return sum(key) > 20 and not any(v == 1 for v in key)",
    "return sorted(key)[0] == -3",
    "return {(16, 1, 7): True}.get(key, False)",
    "allowed = {16: (7,), 64: (7, -3)}\nreturn key[2] in allowed.get(key[0], ())",
    "for v in key:\n    if v == 0:\n        return False\nreturn len(key) == 3",
    "return [k for k in key if k > 0] == [k for k in key]",
    "try:\n    return 64 // key[1] > 0\nexcept ZeroDivisionError:\n    return key[0] == 64",
    "return key[0] if key[1] else None",
    "return self.A.values[0] == key[0]",
    "return max(key) < 100 and min(*key) == -3",
]


@pytest.mark.parametrize("is_valid", VALIDITIES)
def test_enumeration_finds_what_python_finds(is_valid):
    """The search with unknown fields against plain Python over every combination."""
    space: dict[str, object] = {}
    lines = "\n".join(f"        {line}" for line in is_valid.splitlines())
    exec(f"class F:\n    values = [16, 64, 128]\nclass Key:\n    A = F\n    def is_valid(self, key):\n{lines}\n", space)
    instance = space["Key"]()
    expected = [c for c in itertools.product([16, 64, 128], [1, 0], [7, -3]) if instance.is_valid(c)]
    assert accepted(schema(ABC, is_valid)) == expected
    assert expected


def test_validity_may_be_a_class_or_static_method_or_come_from_a_base():
    for before, head in (("@classmethod", "def is_valid(cls, key):"), ("@staticmethod", "def is_valid(key):")):
        body = f"{before}\n    {head}\n        return key[0] == 5"
        assert accepted(schema([field("A", 2, [0, 5]), body])) == [(5,)]
    base = "class Base:\n    def is_valid(self, key):\n        return key[0] == 5\n"
    kernel = clean(base.join([HEADER, f"class Key(Base):\n    {field('A', 2, [0, 5])}\n{KERNEL}"])).kernel("k")
    found = key_schema(kernel)
    assert found is not None and accepted(found) == [(5,)]


def test_few_valid_keys_among_many_combinations_are_found_with_few_questions(monkeypatch):
    """Fourteen fields with 87 million combinations, two of which are valid."""
    sizes = [2, 3, 5, 5, 7, 12, 12, 6, 2, 2, 2, 3, 2, 2]
    fields = [field(f"F{i}", 4, list(range(size))) for i, size in enumerate(sizes)]
    fixed = "(0, 0, 1, 3, 3, 7, 7, 5, None, 0, 0, 0, 1, 0)"
    found = schema(fields, f"return all(f is None or f == v for f, v in zip({fixed}, key))")
    assert found.count == 87_091_200
    asked = []
    real = keys._ask
    monkeypatch.setattr(keys, "_ask", lambda *args: asked.append(args) or real(*args))
    assert [values[8] for values in accepted(found)] == [0, 1]
    assert len(asked) < 100


def test_thousands_of_combinations_take_one_question_each_at_most(monkeypatch):
    fields = [field(f"F{i}", 3, list(range(8))) for i in range(4)]
    asked = []
    real = keys._ask
    monkeypatch.setattr(keys, "_ask", lambda *args: asked.append(args) or real(*args))
    assert len(accepted(schema(fields))) == 4096
    assert len(asked) == 1  # what has no is_valid takes everything
    asked.clear()
    assert len(accepted(schema(fields, "return sum(key) % 2 == 0"))) == 2048
    assert len(asked) <= 4096 * 8 / 7


def test_is_valid_that_raises():
    found = schema([field("A", 2, [1, 0])], "return 8 // key[0] > 0")
    problem = refused(found)
    assert problem.code == "PTO1601"
    assert "raises for A=0: ZeroDivisionError" in problem.message
    assert problem.span.line == 6
    assert found.problem((1,)) == ""
    assert "raises ZeroDivisionError" in found.problem((0,))


def test_is_valid_that_cannot_be_evaluated():
    problem = refused(schema([field("A", 2, [1, 0])], "import numpy\nreturn numpy.int8(key[0]) == 1"))
    assert (problem.code, "cannot be evaluated for A=" in problem.message) == ("PTO1601", True)


def test_is_valid_that_never_ends_is_given_up():
    problem = refused(schema([field("A", 2, [1, 0])], "while True:\n    pass"))
    assert (problem.code, "cannot be evaluated" in problem.message) == ("PTO1601", True)


def test_is_valid_that_rejects_all():
    problem = refused(schema(ABC, "return key[0] > 500"))
    assert (problem.code, "all 12 combinations" in problem.message) == ("PTO1602", True)
    assert "rejects" in schema(ABC, "return False").problem((16, 1, 7))


def test_more_keys_than_a_kernel_can_have():
    fields = [field(f"F{i}", 4, list(range(16))) for i in range(5)]
    problem = refused(schema(fields))
    assert (problem.code, "1048576" in problem.message) == ("PTO1603", True)


# --------------------------------------------------------------------------------------------------------------------
# Classes that are no keys


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        (text(["pass"]), "PTO1600", "no TilingKeyField"),
        (text([field("A", 40, [0]), field("B", 25, [0])]), "PTO1600", "take 65 bits; a key has 64"),
        (text([field("A", 2, [0]), field("B", 1, [0]), field("A", 1, [1])]), "PTO1600", "`A` is defined twice"),
        (text([field("a", 1, [0])]), "PTO1600", "`a` has the name of a parameter"),
        ("A = 3\n" + text([field("A", 1, [0])]), "PTO1600", "something that the kernel sees"),
        (text([field("A", 1, [0]), "is_valid = 5"]), "PTO1600", "is_valid cannot be called"),
        (text([field("A", 1, [0, 1, 2])]), "PTO1244", "3 values do not fit into 1 bits"),
        (text([field("A", 1, [0, 0])]), "PTO1244", "an integer twice"),
        (text(["A = pl.TilingKeyField(bits=1, values=[True])"]), "PTO1244", "True in values is no integer"),
        (text(["A = pl.TilingKeyField(bits=0, values=[0])"]), "PTO1244", "bits must be a positive integer"),
        (text(["A = pl.TilingKeyField(bits=1, values=[])"]), "PTO1244", "at least one integer"),
    ],
)
def test_classes_that_are_no_keys(source, code, words):
    found = [(d.code, d.message) for d in diagnostics(source)]
    assert any(c == code and words in message for c, message in found), found


@pytest.mark.parametrize(
    ("datatype", "words"),
    [
        ('{"a": "not valid"}', "`not valid` (of `a`) cannot be the name"),
        ('{"a": "class"}', "cannot be the name"),
        ('{"a": "a"}', "is the name of a parameter"),
        ('{"a": "A"}', "is the name of a field of the tiling key"),
    ],
)
def test_dtype_maps_that_cannot_be(datatype, words):
    kernel = KERNEL.replace("tiling_key=Key", f"tiling_key=Key, datatype={datatype}")
    (found,) = diagnostics(text([field("A", 1, [0])], kernel=kernel))
    assert (found.code, words in found.message) == ("PTO1604", True), found


def test_a_name_bound_below_the_kernel_is_no_clash():
    clean(text([field("A", 1, [0, 1])]) + "\nfor A in (0, 1):\n    pass\n")
