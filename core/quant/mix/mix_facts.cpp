// SPDX-License-Identifier: MIT
#include "core/quant/mix/mix_facts.h"

#include "core/base/checked.h"
#include "core/quant/mix/tensor_category.h"

#include <algorithm>

namespace wb::quant {
namespace {

constexpr std::uint64_t mostLayers = 512; // ggml-org/llama.cpp: src/llama-hparams.h, LLAMA_MAX_LAYERS and LLAMA_MAX_EXPERTS
constexpr std::uint64_t mostExperts = 1024;

std::string fileOf(const Model& model) { return model.files.empty() ? io::baseName(model.path) : model.files[0].name; }

std::unexpected<Error> wrongType(const Model& model, const std::string& key, const char* found) {
    return fail(ErrorCode::Malformed, WB_TEXT("{} stores {} as {}, where loaders read a number of type u32; make the file again."),
                fileOf(model), key, found);
}

std::unexpected<Error> outOfRange(const Model& model, const std::string& key, std::uint64_t value, std::uint64_t least,
                                  std::uint64_t most) {
    return fail(ErrorCode::Malformed, WB_TEXT("{} gives {} as {}, but loaders take only {} to {}; make the file again."),
                fileOf(model), key, value, least, most);
}

// Zero where the key is absent.
Result<std::uint64_t> number(const Model& model, const std::string& key) {
    const Value* const value = model.metadata.find(key);
    if (!value) return 0;
    if (value->type != ValueType::U32) return wrongType(model, key, valueTypeName(value->type));
    return *value->unsignedNumber();
}

// The first layer's of a list that has one number for each layer, whose integers are read as unsigned ones; or one number for all.
Result<std::uint64_t> numberOfFirstLayer(const Model& model, const std::string& key, std::uint64_t layers) {
    const Value* const value = model.metadata.find(key);
    const ValueArray* const list = value ? value->array() : nullptr;
    if (!list) return number(model, key);
    const ValueType type = list->elementType;
    if (type != ValueType::U32 && type != ValueType::I32 && type != ValueType::Bool) return wrongType(model, key, "array");
    if (list->count != layers)
        return fail(ErrorCode::Malformed, WB_TEXT("{} lists {} numbers as {} but has {} layers; make the file again."), fileOf(model),
                    list->count, key, layers);
    if (list->first.empty()) return 0;
    if (type == ValueType::Bool) return std::get<bool>(list->first[0].data);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(list->first[0].number().value_or(0)));
}

// Two families count other layers than they store: one with its router, the other with each pass over them.
Result<void> countLayers(const Model& model, MixFacts& facts) {
    const std::string& a = facts.architecture;
    const std::string key = a + ".block_count";
    WB_TRY_ASSIGN(const std::uint64_t stored, number(model, key));
    if (model.metadata.find(key) && (stored == 0 || stored > mostLayers)) return outOfRange(model, key, stored, 1, mostLayers);
    WB_TRY_ASSIGN(const std::uint64_t predicting, number(model, a + ".nextn_predict_layers"));
    if (predicting > stored) return outOfRange(model, a + ".nextn_predict_layers", predicting, 0, stored);
    facts.trunkLayers = stored - predicting;
    facts.layers = stored;
    if (a == "graniteswitch") facts.layers = facts.trunkLayers + 1;
    if (a != "nanbeige") return {};
    WB_TRY_ASSIGN(const std::uint64_t passes, number(model, a + ".num_loops"));
    if (passes > 1) facts.layers = checked::mul(facts.trunkLayers, passes).value_or(stored);
    return {};
}

// Of a projector (clip) the reference reads no number.
Result<void> readNumbers(const Model& model, MixFacts& facts) {
    const std::string& a = facts.architecture;
    if (a == "clip") return {};
    WB_TRY(countLayers(model, facts));
    WB_TRY_ASSIGN(const std::uint64_t layers, number(model, a + ".block_count"));
    WB_TRY_ASSIGN(facts.heads, numberOfFirstLayer(model, a + ".attention.head_count", layers));
    const bool hasKv = model.metadata.find(a + ".attention.head_count_kv") != nullptr;
    facts.kvHeads = facts.heads;
    if (hasKv) {
        WB_TRY_ASSIGN(facts.kvHeads, numberOfFirstLayer(model, a + ".attention.head_count_kv", layers));
    }
    WB_TRY_ASSIGN(facts.experts, number(model, a + ".expert_count"));
    if (facts.experts > mostExperts) return outOfRange(model, a + ".expert_count", facts.experts, 0, mostExperts);
    return {};
}

} // namespace

Result<MixFacts> factsOf(const Model& model, const MixOptions& options) {
    MixFacts facts;
    facts.fileType = options.fileType;
    facts.architecture = model.architecture.value_or("");
    WB_TRY(readNumbers(model, facts));
    facts.hasMatrix = options.hasMatrix;
    facts.outputType = options.outputType;
    facts.tied = std::ranges::none_of(model.tensors, [](const TensorInfo& tensor) { return tensor.name == "output.weight"; });
    facts.valueTensors = static_cast<std::uint64_t>(std::ranges::count_if(model.tensors, [](const TensorInfo& tensor) {
        const Category category = categoryOf(tensor.storedName());
        return category == Category::V || category == Category::Qkv || category == Category::KvB;
    }));
    return facts;
}

} // namespace wb::quant
