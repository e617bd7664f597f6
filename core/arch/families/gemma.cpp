// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr KeyDefault gemma2Defaults[] = {{"attention.sliding_window", 4096}};
constexpr KeyDefault gemma3Defaults[] = {{"context_length", 131'072},     {"attention.head_count", 8},
                                         {"attention.head_count_kv", 4},  {"attention.key_length", 256},
                                         {"attention.value_length", 256}, {"vocab_size", 262'208}};

constexpr Family gemmaRecords[] = {
    {.architecture = "gemma",
     .modelTypes = {{"gemma"}},
     .activation = Activation::GeluTanh,
     .sqrtEmbedding = true,
     .tied = true,
     .runs = Runs::Cpu},
    {.architecture = "gemma2",
     .modelTypes = {{"gemma2"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::Both,
     .activation = Activation::GeluTanh,
     .windowPeriod = 2,
     .sqrtEmbedding = true,
     .tied = true,
     .widthScaledLayers = 46,
     .keyDefaults = gemma2Defaults,
     .runs = Runs::Cpu},
    {.architecture = "gemma3",
     .modelTypes = {{"gemma3"}, {"gemma3_text"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 6,
     .sqrtEmbedding = true,
     .tied = true,
     .plainWindows = true,
     .windowRopeBase = 10000,
     .widthScaledLayers = 62,
     .keyDefaults = gemma3Defaults,
     .runs = Runs::Cpu},
    {.architecture = "gemma3n",
     .modelTypes = {{"gemma3n"}, {"gemma3n_text"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 5,
     .sqrtEmbedding = true,
     .attentionScale = 1,
     .tied = true,
     .valueNorm = true,
     .plainWindows = true,
     .windowRopeBase = 10000},
    {.architecture = "gemma4",
     .modelTypes = {{"gemma4"}, {"gemma4_text"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .sqrtEmbedding = true,
     .attentionScale = 1,
     .tied = true,
     .valueNorm = true,
     .denseBesideExperts = true,
     .plainWindows = true,
     .windowHeadLengths = true,
     .runs = Runs::Cpu},
    {.architecture = "gemma-embedding",
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 6,
     .sqrtEmbedding = true,
     .tied = true,
     .plainWindows = true,
     .windowRopeBase = 10000},
};

} // namespace

const std::span<const Family> gemma = gemmaRecords;

} // namespace wb::arch::records
