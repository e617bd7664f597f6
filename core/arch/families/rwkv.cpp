// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family rwkvRecords[] = {
    {.architecture = "rwkv6", .modelTypes = {{"rwkv6"}}, .norm = NormKind::Layer, .rope = RopeStyle::None},
    {.architecture = "rwkv7", .modelTypes = {{"rwkv7"}}, .norm = NormKind::Layer, .rope = RopeStyle::None},
};

} // namespace

const std::span<const Family> rwkv = rwkvRecords;

} // namespace wb::arch::records
