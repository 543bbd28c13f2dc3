// What kernel.cpp includes: the tile instruction set in namespace pto and the device's own names, for the CPU
// simulator.
//
// Written from the public documentation of PTO-ISA so that one kernel.cpp compiles against this header, against a
// PTO-ISA checkout, and for the device.  Nothing here computes: an instruction describes its operands in a record
// (ptopro/record.hpp) and hands it to the machine (ptopro/issue.hpp); the machine is in simulator/library.
#pragma once

#include "ptopro/code.hpp"
#include "ptopro/device.hpp"
#include "ptopro/enums.hpp"
#include "ptopro/global_tensor.hpp"
#include "ptopro/inst_matrix.hpp"
#include "ptopro/inst_move.hpp"
#include "ptopro/inst_rearrange.hpp"
#include "ptopro/inst_sync.hpp"
#include "ptopro/inst_vector.hpp"
#include "ptopro/simt.hpp"
#include "ptopro/tile.hpp"
#include "ptopro/vf.hpp"
