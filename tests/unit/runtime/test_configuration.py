"""The subscript of a launch: its forms, tiling keys and dtype maps, and what is refused."""

import numpy as np
import pytest

import ptopro.language as pl
from ptopro.runtime.configuration import configuration_of, default_configuration, packed_key
from ptopro.runtime.errors import LaunchError


class Key:
    Mode = pl.TilingKeyField(bits=2, values=[0, 5, 9])
    Mask = pl.TilingKeyField(bits=1, values=[1, 0])

    def is_valid(self, key):
        mode, mask = key
        return mode != 9 or mask == 0


MAP = {"x": "x_dtype", "y": "x_dtype", "z": "z_dtype"}


def refused(item, key=None, datatype=None):
    with pytest.raises(LaunchError) as error:
        configuration_of("k", item, key, datatype)
    return error.value.diagnostics[0]


@pytest.mark.parametrize("item", [4, (None, 4), (object(), np.int64(4))])
def test_block_dim_with_and_without_stream(item):
    assert configuration_of("k", item, None, None).block_dim == 4


@pytest.mark.parametrize("value", [0, -1, True, False, 2.0, "2", None, 1 << 31])
def test_block_dim_is_a_positive_integer(value):
    assert refused((None, value)).code == "PTO1810"


def test_a_bool_is_also_a_type_error():
    with pytest.raises(TypeError):
        configuration_of("k", (None, True), None, None)


@pytest.mark.parametrize("item", [(), (None,), (None, 1, 2), (None, 1, {}, {}, {})])
def test_other_forms_are_refused(item):
    assert refused(item).code == "PTO1811"


def test_a_key_where_there_is_none():
    assert refused((None, 1, {"Mode": 0})).code == "PTO1812"


def test_keys_are_checked_and_packed():
    found = configuration_of("k", (None, 8, {"Mode": 5, "Mask": 0}), Key, None)
    assert found.key == {"Mode": 5, "Mask": 0}
    assert packed_key(Key, found.key) == 5


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ({}, "`Mode` is missing"),
        ({"Mode": 5}, "`Mask` is missing"),
        ({"Mode": 5, "Mask": 0, "Other": 1}, "no field `Other`"),
        ({"Mode": 4, "Mask": 0}, "one of 0, 5, 9"),
        ({"Mode": 0, "Mask": True}, "one of 1, 0"),
        ({"Mode": 9, "Mask": 1}, "is_valid"),
        (5, "must be a dict"),
    ],
)
def test_keys_that_do_not_fit(key, words):
    found = refused((None, 8, key), Key)
    assert found.code == "PTO1812"
    assert words in found.message


def test_validity_may_be_a_class_method():
    class Filtered:
        Mode = pl.TilingKeyField(bits=2, values=[0, 5, 9])

        @classmethod
        def is_valid(cls, key):
            return key[0] != 9

    assert configuration_of("k", (None, 8, {"Mode": 5}), Filtered, None).key == {"Mode": 5}
    assert "is_valid" in refused((None, 8, {"Mode": 9}), Filtered).message


def test_validity_is_asked_as_releases_ask_it():
    """Evaluated, not executed: what a release could not decide is refused at a launch too."""

    class Counted:
        Mode = pl.TilingKeyField(bits=2, values=[0, 5, 9])

        def is_valid(self, key):
            return 45 // key[0] > 8 and input()

    assert "raises ZeroDivisionError" in refused((None, 8, {"Mode": 0}), Counted).message
    assert "cannot be evaluated" in refused((None, 8, {"Mode": 5}), Counted).message
    assert "rejects it (Mode=9)" in refused((None, 8, {"Mode": 9}), Counted).message


LIMIT = 3


def test_validity_follows_the_names_that_it_uses(monkeypatch):
    class Limited:
        Mode = pl.TilingKeyField(bits=2, values=[0, 5, 9])

        def is_valid(self, key):
            return key[0] < LIMIT

    assert "rejects" in refused((None, 8, {"Mode": 5}), Limited).message
    monkeypatch.setitem(globals(), "LIMIT", 6)
    assert configuration_of("k", (None, 8, {"Mode": 5}), Limited, None).key == {"Mode": 5}


@pytest.mark.parametrize(
    ("attributes", "options", "words"),
    [
        ({}, {}, "PTO1600"),
        ({"A": pl.TilingKeyField(60, [0]), "B": pl.TilingKeyField(5, [0])}, {}, "take 65 bits"),
        ({"x": pl.TilingKeyField(1, [0])}, {}, "the name of a parameter"),
        ({"LIMIT": pl.TilingKeyField(1, [0])}, {}, "something that the kernel sees"),
        ({"A": pl.TilingKeyField(1, [0]), "is_valid": 5}, {}, "cannot be called"),
        ({"A": pl.TilingKeyField(1, [0])}, {"datatype": {"x": "A"}}, "PTO1604"),
    ],
)
def test_keys_that_no_launch_could_use_are_refused_by_the_decorator(attributes, options, words):
    with pytest.raises(TypeError, match=words):

        @pl.jit(tiling_key=type("Wrong", (), attributes), **options)
        def k(x: pl.Ptr[pl.DT_UINT8]):
            pass


def test_a_key_of_another_kernel():
    class Other:
        Block = pl.TilingKeyField(bits=2, values=[16, 32])

    with pytest.raises(ValueError, match="no field `Block`"):
        configuration_of("k", (None, 8, {"Block": 16}), Key, None)
    assert configuration_of("k", (None, 8, {"Block": 16}), Other, None).key == {"Block": 16}


def test_a_missing_key_is_refused_with_and_without_brackets():
    assert "none was given" in refused((None, 8), Key).message
    with pytest.raises(ValueError, match="tiling key"):
        default_configuration("k", Key, None)


def test_dtype_maps():
    given = {"x": pl.DT_FP16, "y": pl.DT_FP16, "z": pl.DT_FP32}
    found = configuration_of("k", (None, 1, given), None, MAP)
    assert found.dtypes == {"x_dtype": pl.DT_FP16, "z_dtype": pl.DT_FP32}
    both = configuration_of("k", (None, 1, {"Mode": 0, "Mask": 1}, given), Key, MAP)
    assert (both.key, both.dtypes) == ({"Mode": 0, "Mask": 1}, found.dtypes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "must be launched with one"),
        ({"x": pl.DT_FP16, "y": pl.DT_FP32, "z": pl.DT_FP32}, "same dtype"),
        ({"x": pl.DT_FP16, "y": pl.DT_FP16}, "`z` is missing"),
        ({"x": "fp16", "y": pl.DT_FP16, "z": pl.DT_FP16}, "must be a pl.DT_"),
        ({"x": pl.DT_FP16, "y": pl.DT_FP16, "z": pl.DT_FP16, "w": pl.DT_FP16}, "no parameter `w`"),
    ],
)
def test_dtype_maps_that_do_not_fit(given, words):
    found = refused((None, 1, given), None, MAP)
    assert found.code == "PTO1813"
    assert words in found.message
