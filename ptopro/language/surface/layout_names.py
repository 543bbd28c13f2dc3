"""The layouts under their short names: `pl.NZ` for `pl.TensorLayout.NZ`."""

from ptopro.language.enums import TensorLayout

ND = TensorLayout.ND
DN = TensorLayout.DN
NZ = TensorLayout.NZ
ZN = TensorLayout.ZN
NN = TensorLayout.NN
ZZ = TensorLayout.ZZ
