// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family mambaRecords[] = {
    {.architecture = "mamba", .modelTypes = {{"mamba"}}, .rope = RopeStyle::None, .tied = true},
    {.architecture = "mamba2", .modelTypes = {{"mamba2"}}, .rope = RopeStyle::None, .tied = true, .runs = true},
};

} // namespace

const std::span<const Family> mamba = mambaRecords;

} // namespace wb::arch::records
