// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family gptOssRecords[] = {
    {.architecture = "gpt-oss",
     .modelTypes = {{"gpt_oss"}},
     .parts = postAttentionNorm,
     .activation = Activation::ClampedSwiglu,
     .windowPeriod = 2,
     .gating = Gating::SoftmaxOfChosen,
     .normalizesExperts = false,
     .runs = Runs::Cpu},
};

} // namespace

const std::span<const Family> gptOss = gptOssRecords;

} // namespace wb::arch::records
