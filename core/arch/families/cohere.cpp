// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family cohereRecords[] = {
    {.architecture = "cohere2",
     .modelTypes = {{.name = "cohere2", .writesHeadLength = true}},
     .norm = NormKind::Layer,
     .parallel = true,
     .rope = Adjacent,
     .windowPeriod = 4,
     .ropelessFull = true,
     .tied = true,
     .runs = Runs::Cpu},
    {.architecture = "command-r",
     .modelTypes = {{"cohere"}},
     .norm = NormKind::Layer,
     .parallel = true,
     .rope = Adjacent,
     .tied = true,
     .runs = Runs::Cpu},
};

} // namespace

const std::span<const Family> cohere = cohereRecords;

} // namespace wb::arch::records
