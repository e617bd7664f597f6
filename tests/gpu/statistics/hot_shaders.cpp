// SPDX-License-Identifier: MIT
#include "tests/gpu/statistics/hot_shaders.h"

#include "gpu/quant/kernels.h"
#include "gpu/shaders/dtypes.h"
#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_attend.spv.h"
#include "gpu/shaders/infer_attend_fast.spv.h"
#include "gpu/shaders/infer_delta.spv.h"
#include "gpu/shaders/infer_multiply_codes.spv.h"
#include "gpu/shaders/infer_multiply_codes_followed.spv.h"
#include "gpu/shaders/infer_multiply_fast.spv.h"
#include "gpu/shaders/infer_multiply_fast_followed.spv.h"
#include "gpu/shaders/infer_multiply_floats.spv.h"
#include "gpu/shaders/infer_multiply_floats_followed.spv.h"
#include "gpu/shaders/infer_multiply_packed.spv.h"
#include "gpu/shaders/infer_multiply_packed_followed.spv.h"
#include "gpu/shaders/infer_norm.spv.h"
#include "gpu/shaders/infer_prepare.spv.h"
#include "gpu/shaders/infer_rank.spv.h"
#include "gpu/shaders/infer_rotate.spv.h"
#include "gpu/shaders/infer_route.spv.h"
#include "gpu/shaders/infer_state_space.spv.h"
#include "tests/gpu/support/sample.h"

#include <fmt/format.h>

namespace wb::gpu {
namespace {

using Constants = std::vector<std::uint32_t>;
using Words = std::span<const std::uint32_t>;

KernelCode shader(Words words, Constants constants) { return {"", words, 0, 0, std::move(constants)}; }

// The constants of gpu/shaders/infer/multiply.glsl; rows of a workgroup as on a device with subgroups of 64.
Constants productConstants(std::uint32_t type, std::uint32_t columns, std::uint32_t rows) {
    return {type, columns, WB_STORE, 0, 1, WB_SILU, WB_EXPERTS_NONE, 0, rows};
}

KernelCode product(Words words, std::uint32_t type, std::uint32_t columns) {
    return shader(words, productConstants(type, columns, WB_FAST_ROWS));
}

// With the constants of follow_up.glsl: an RMS norm and codes; two matrices, activation and codes; heads that are rotated and
// stored.
struct Follow {
    const char* name;
    std::uint32_t isPaired, kind, norm, codes, stores;
};
constexpr std::array follows = {Follow{"norm and codes", 0, WB_FOLLOW_INPUT, WB_NORM_RMS, 1, 0},
                                Follow{"activation and codes", 1, WB_FOLLOW_INPUT, WB_NORM_NONE, 1, 0},
                                Follow{"storing", 0, WB_FOLLOW_HEAD, WB_NORM_RMS, 0, 1}};

KernelCode followedProduct(Words words, std::uint32_t type, std::uint32_t rows, const Follow& follow) {
    Constants constants = productConstants(type, 1, rows);
    constants.insert(constants.end(),
                     {follow.isPaired, follow.kind, follow.norm, 1, 0, 0, follow.codes, follow.stores, 1, WB_CACHE_F16});
    return shader(words, std::move(constants));
}

// The fast kernel: four heads of queries, keys of 128 numbers.
KernelCode attention(std::uint32_t cache) {
    return shader(shaders::infer_attend_fast, {cache, cache, WB_FAST_HEADS, 0, 0, 0, 128});
}

struct WeightType {
    const char* name;
    std::uint32_t number; // of dtypes.h
};
constexpr std::array weightTypes = {WeightType{"Q4_K", WB_Q4_K},   WeightType{"Q6_K", WB_Q6_K},     WeightType{"Q8_0", WB_Q8_0},
                                    WeightType{"Q4_0", WB_Q4_0},   WeightType{"Q5_K", WB_Q5_K},     WeightType{"Q3_K", WB_Q3_K},
                                    WeightType{"Q2_K", WB_Q2_K},   WeightType{"IQ4_XS", WB_IQ4_XS}, WeightType{"Q4_1", WB_Q4_1},
                                    WeightType{"Q5_0", WB_Q5_0},   WeightType{"Q5_1", WB_Q5_1},     WeightType{"IQ4_NL", WB_IQ4_NL},
                                    WeightType{"MXFP4", WB_MXFP4}, WeightType{"codes", WB_CODED}};

void addProducts(std::vector<HotShader>& shaders, const WeightType& type) {
    const auto add = [&](const char* form, Words words, std::uint32_t columns) {
        const std::string title = fmt::format("{} times {}, {}", type.name, columns == 1 ? "a token" : "8 tokens", form);
        shaders.push_back({title, product(words, type.number, columns)});
    };
    add("packed", shaders::infer_multiply_packed, 1);
    add("float", shaders::infer_multiply_fast, 1);
    add("packed", shaders::infer_multiply_packed, WB_MAX_COLUMNS);
    add("float", shaders::infer_multiply_fast, WB_MAX_COLUMNS);
    add("exact", shaders::infer_multiply_codes, 1);
    add("exact", shaders::infer_multiply_codes, WB_MAX_COLUMNS);
}

void addFollowed(std::vector<HotShader>& shaders, const WeightType& type, std::span<const Follow> which) {
    for (const Follow& follow : which) {
        const auto add = [&](const char* form, Words words, std::uint32_t rows) {
            shaders.push_back({fmt::format("{} times a token, {}, {}", type.name, form, follow.name),
                               followedProduct(words, type.number, rows, follow)});
        };
        add("packed", shaders::infer_multiply_packed_followed, WB_FAST_ROWS);
        add("float", shaders::infer_multiply_fast_followed, WB_FAST_ROWS);
        add("exact", shaders::infer_multiply_codes_followed, WB_ROWS_AT_ONCE);
    }
}

std::vector<HotShader> usualShaders() {
    std::vector<HotShader> shaders;
    addProducts(shaders, weightTypes.front());
    addFollowed(shaders, weightTypes.front(), std::span(follows).first(2));
    shaders.push_back({"attention, f16", shader(shaders::infer_attend, {WB_CACHE_F16, WB_CACHE_F16, 1, 0, 0, 0, 0})});
    shaders.push_back({"attention of a token, f16", attention(WB_CACHE_F16)});
    shaders.push_back({"norm and codes", shader(shaders::infer_prepare, {WB_NORM_RMS, 0, 1, 0, 1, 0})});
    shaders.push_back({"rotate and store", shader(shaders::infer_rotate, {1, 1, WB_CACHE_F16, 0})});
    shaders.push_back({"rank logits", shader(shaders::infer_rank, {0})});
    shaders.push_back({"quantize Q4_K", quantizerCode(*findQuantKernel(Dtype::Q4_K), false, false)});
    return shaders;
}

std::vector<HotShader> otherShaders() {
    std::vector<HotShader> shaders;
    for (const WeightType& type : std::span(weightTypes).subspan(1)) addProducts(shaders, type);
    addFollowed(shaders, weightTypes.front(), std::span(follows).subspan(2));
    shaders.push_back({"F16 times a token, norm and codes",
                       followedProduct(shaders::infer_multiply_floats_followed, WB_F16, WB_ROWS_AT_ONCE, follows.front())});
    shaders.push_back({"F16 times 8 tokens", product(shaders::infer_multiply_floats, WB_F16, WB_MAX_COLUMNS)});
    shaders.push_back({"attention, q8_0", shader(shaders::infer_attend, {WB_CACHE_Q8_0, WB_CACHE_Q8_0, 1, 0, 0, 0, 0})});
    shaders.push_back({"attention of a token, q8_0", attention(WB_CACHE_Q8_0)});
    shaders.push_back({"norm of heads", shader(shaders::infer_norm, {WB_NORM_RMS, 1, 0, WB_IN_PLACE, 0, 1, 0})});
    shaders.push_back({"router", shader(shaders::infer_route, {WB_GATING_SOFTMAX, 1, 0, 0, 1, 1, 0, 0})});
    shaders.push_back({"delta rule", shader(shaders::infer_delta, {0, 0, 1})});
    shaders.push_back({"state space", shader(shaders::infer_state_space, {1})});
    for (const QuantKernel& kernel : quantKernels())
        for (const bool weighted : {false, true}) {
            if ((weighted && !kernel.weighted) || (!weighted && kernel.dtype == Dtype::Q4_K)) continue;
            const std::string title = fmt::format("quantize {}{}", name(kernel.dtype), weighted ? ", weighted" : "");
            shaders.push_back({title, quantizerCode(kernel, weighted, false)});
        }
    return shaders;
}

} // namespace

std::vector<HotShader> hotShaders() { return test::sample(usualShaders(), otherShaders()); }

} // namespace wb::gpu
