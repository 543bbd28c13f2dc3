// Register code: what stands inside `__VEC_SCOPE__ { ... };`.
#pragma once

#include "ptopro/vf/arithmetic.hpp"
#include "ptopro/vf/convert.hpp"
#include "ptopro/vf/masks.hpp"
#include "ptopro/vf/memory.hpp"
#include "ptopro/vf/permute.hpp"
#include "ptopro/vf/reduce.hpp"
#include "ptopro/vf/registers.hpp"
