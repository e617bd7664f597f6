// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family smollmRecords[] = {
    {.architecture = "smollm3",
     .modelTypes = {{"smollm3"}},
     .rope = Adjacent,
     .ropelessPeriod = 4,
     .tied = true,
     .runs = Runs::Cpu,
     .keepsResidual = true},
};

} // namespace

const std::span<const Family> smollm = smollmRecords;

} // namespace wb::arch::records
