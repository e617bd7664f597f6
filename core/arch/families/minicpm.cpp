// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family minicpmRecords[] = {
    {.architecture = "minicpm", .modelTypes = {{"minicpm"}}, .rope = Adjacent},
    {.architecture = "minicpm3", .modelTypes = {{"minicpm3"}}, .rope = Halves},
};

} // namespace

const std::span<const Family> minicpm = minicpmRecords;

} // namespace wb::arch::records
