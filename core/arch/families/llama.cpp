// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family llamaRecords[] = {
    {.architecture = "llama",
     .modelTypes = {{.name = "llama", .writesHeadLength = true}, {.name = "mistral", .writesHeadLength = true}, {"mixtral"}},
     .rope = Adjacent,
     .runs = Runs::EveryDevice,
     .mix = {.largeLayers = 80, .largeSharesKeys = true}},
    {.architecture = "llama4",
     .modelTypes = {{"llama4"}, {"llama4_text"}},
     .queryKeyNorm = Head,
     .rope = Adjacent,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid,
     .normalizesExperts = false},
    {.architecture = "llama-embed", .isPartial = true, .mix = {.largeLayers = 80, .largeSharesKeys = true}},
};

} // namespace

const std::span<const Family> llama = llamaRecords;

} // namespace wb::arch::records

namespace wb::arch {
const std::string_view plainArchitecture = "llama";
} // namespace wb::arch
