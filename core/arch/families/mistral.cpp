// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family mistralRecords[] = {
    {.architecture = "mistral3", .modelTypes = {{"ministral3"}, {"mistral3"}}, .rope = Adjacent, .runs = Runs::Cpu},
    {.architecture = "mistral4", .rope = Adjacent},
};

} // namespace

const std::span<const Family> mistral = mistralRecords;

} // namespace wb::arch::records
