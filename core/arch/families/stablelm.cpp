// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family stablelmRecords[] = {
    {.architecture = "stablelm", .modelTypes = {{"stablelm"}}, .norm = NormKind::Layer, .parallel = true, .runs = Runs::Cpu},
};

} // namespace

const std::span<const Family> stablelm = stablelmRecords;

} // namespace wb::arch::records
