"""`ptopro ops --keys` and `ptopro headers`; folders of keys; what is folded away."""

import json

import pytest

KERNEL = """from dataclasses import dataclass
import ptopro.language as pl


class Key:
    M = pl.TilingKeyField(bits=2, values=[16, 64, 128])
    N = pl.TilingKeyField(bits=1, values=[0, 1])

    def is_valid(self, key):
        return key[0] > 16 or key[1] == 0


@dataclass
class Plan:
    n: int


@pl.jit(tiling_key=Key, datatype={"x": "x_type"})
def my_op(x: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], plan: Plan):
    with pl.section_vector():
        t = pl.make_tensor(pl.make_ptr(x, dtype=x_type), [8])
        if M == 128:
            pl.setval(t, 0, 1281)
        elif N == 1:
            pl.setval(t, 1, 641)
        else:
            pl.setval(t, plan.n, 161)
"""


@pytest.fixture
def file(folder):
    (folder / "my_op.py").write_text(KERNEL)
    return folder


def test_every_combination_is_listed(ptopro, file):
    result = ptopro("ops", "--keys", "my_op.py", "--json")
    assert result.code == 0, result.err
    (table,) = json.loads(result.out)["kernels"]
    assert (table["kernel"], table["class"], table["combinations"], table["valid"]) == ("my_op", "Key", 6, 5)
    assert table["fields"][1] == {"name": "N", "bits": 1, "shift": 2, "values": [0, 1]}
    rows = {(row["fields"]["M"], row["fields"]["N"]): (row["packed"], row["valid"]) for row in table["keys"]}
    assert rows == {
        (16, 0): (0, True), (16, 1): (4, False), (64, 0): (1, True),
        (64, 1): (5, True), (128, 0): (2, True), (128, 1): (6, True),
    }  # fmt: skip
    text = ptopro("ops", "--keys", "my_op.py").out.splitlines()
    assert "5 of 6 combinations are valid" in text[0]
    assert [line.split() for line in text[3:6]] == [
        ["packed", "hex", "M", "N", "valid"], ["0", "0x0", "16", "0", "yes"], ["4", "0x4", "16", "1", "no"],
    ]  # fmt: skip


def test_a_kernel_without_key_and_a_file_that_is_not_there(ptopro, file):
    (file / "plain.py").write_text("import ptopro.language as pl\n@pl.jit\ndef k(x: pl.Ptr[pl.DT_UINT8]):\n    pass\n")
    assert "kernel k has no tiling key" in ptopro("ops", "--keys", "plain.py").out
    assert ptopro("ops", "--keys", "nothing.py").code == 1
    assert ptopro("ops", "--keys").code == ptopro("ops", "--json").code == 2


def test_what_is_wrong_with_is_valid_is_shown_with_the_list(ptopro, file):
    (file / "my_op.py").write_text(KERNEL.replace("key[0] > 16 or", "8 // key[1] and"))
    result = ptopro("ops", "--keys", "my_op.py")
    assert result.code == 1
    assert "PTO1601" in result.err and "ZeroDivisionError" in result.out


def test_headers_under_the_names_that_operator_projects_expect(ptopro, file):
    result = ptopro("headers", "--py-file", "my_op.py", "--out-dir", "gen", "--op-file", "my_op", "--soc", "ascend950")
    assert result.code == 0, result.err
    assert sorted(path.name for path in (file / "gen").iterdir()) == [
        "Key_tilingkey.h", "Plan_tiling.h", "my_op_pypto_infer.cpp",
    ]  # fmt: skip
    assert "ASCENDC_TPL_ARGS_DECL(my_op," in (file / "gen" / "Key_tilingkey.h").read_text()
    assert "REGISTER_TILING_DEFAULT(Plan);" in (file / "gen" / "my_op_pypto_infer.cpp").read_text()
    before = (file / "gen" / "Plan_tiling.h").stat().st_mtime_ns
    assert ptopro("headers", "--py-file", "my_op.py", "--out-dir", "gen").code == 0
    assert (file / "gen" / "Plan_tiling.h").stat().st_mtime_ns == before  # nothing is built anew


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (", workspace: pl.Ptr[pl.DT_UINT8]", "", "PTO2023"),
        ("key[0] > 16 or key[1] == 0", "False", "PTO1602"),
        ("bits=1", "bits=63", "PTO1600"),
        ("tiling_key=Key, ", "", "PTO2025"),
    ],
)
def test_no_headers_of_a_kernel_that_cannot_be_released(ptopro, file, old, new, code):
    (file / "my_op.py").write_text(KERNEL.replace(old, new))
    result = ptopro("headers", "--py-file", "my_op.py", "--out-dir", "gen")
    assert result.code == 1 and code in result.err
    assert not (file / "gen").exists()


def test_no_headers_under_a_name_that_leaves_the_folder(ptopro, file):
    result = ptopro("headers", "--py-file", "my_op.py", "--out-dir", "gen", "--op-file", "../my_op")
    assert result.code == 1 and "PTO2001" in result.err


def test_a_key_has_a_folder_of_its_own_and_no_branch_of_another(ptopro, file):
    for m, n, own in ((128, 1, 1281), (64, 1, 641), (16, 0, 161)):
        result = ptopro("codegen", "my_op.py", "--key", f"M={m}", "--key", f"N={n}", "--dtype", "x=int32")
        assert result.code == 0, result.err
        packed = (16, 64, 128).index(m) | n << 2
        text = (file / "build" / "my_op" / "my_op" / f"tk_{packed:x}_int32" / "kernel.cpp").read_text()
        assert [number for number in (1281, 641, 161) if str(number) in text] == [own]
        assert "if (" not in text and "int32_t" in text


def test_several_fields_in_one_option(ptopro, file):
    result = ptopro("codegen", "my_op.py", "--key", "M=128,N=1", "--dtype", "x_type=int32")
    assert result.code == 0, result.err
    assert (file / "build" / "my_op" / "my_op" / "tk_6_int32" / "kernel.cpp").is_file()


def test_a_combination_that_is_no_key(ptopro, file):
    result = ptopro("codegen", "my_op.py", "--key", "M=16", "--key", "N=1", "--dtype", "x=int32")
    assert result.code == 1 and "PTO1917" in result.err and "is_valid of `Key` rejects it" in result.err
