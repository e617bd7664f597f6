// SPDX-License-Identifier: MIT
#include "core/arch/model_spec.h"
#include "core/convert/gguf/config_pairs.h"
#include "core/convert/gguf/convert_plan.h"
#include "core/convert/gguf/generated_tensors.h"
#include "core/formats/json/json.h"
#include "core/formats/peft/peft.h"
#include "core/merge/adapters.h"

#include <cstdlib>

namespace {

using namespace wb;

// The pairs and tensors that a family makes of it.
void convertConfig(const ValueObject& config) {
    const auto family = convert::familyOfConfig(config);
    if (!family) return;
    const auto spec = arch::specOfConfig(config, "config.json");
    if (!spec || spec->layers.empty()) return;
    convert::PairList pairs;
    std::vector<Problem> problems;
    const convert::PairContext context{config, *family, *spec, pairs, problems};
    for (const auto rules : {family->rules->keys, family->rules->ownKeys, family->rules->tokenizerKeys})
        if (!convert::addConfigPairs(context, rules)) return;
    for (const convert::GeneratedTensor& tensor : convert::generatedTensors(*family->rules, *spec))
        if (tensor.name.empty() || tensor.values.size() > arch::maxHeadLength) std::abort();
}

TensorInfo matrix(const char* name, std::uint64_t rows, std::uint64_t columns) {
    TensorInfo tensor;
    tensor.name = name;
    tensor.dtype = Dtype::F32;
    tensor.shape = *Shape::make({rows, columns});
    tensor.source = TensorSource::stored(0, 0, rows * columns * sizeof(float));
    return tensor;
}

// The same text as adapter_config.json, beside one pair of factors.
void readAdapter(const Value& config) {
    Model adapter;
    adapter.format = FormatId::Peft;
    adapter.path = "adapter";
    adapter.tensors = {matrix("base_model.model.m.q_proj.lora_A.weight", 4, 8),
                       matrix("base_model.model.m.q_proj.lora_B.weight", 6, 4)};
    adapter.metadata.members.push_back({"adapter_config.json", config});
    peft::addDeltas(adapter, adapter.metadata.find("adapter_config.json"));
    const auto parts = merge::adapterParts(adapter);
    if (!parts) return;
    for (const merge::LowRank& part : parts->matrices)
        if (part.rank != 4 || part.module != "m.q_proj") std::abort();
}

} // namespace

// A config.json, and the same text as an adapter_config.json.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<Problem> problems;
    const auto value = json::parse(text, "config.json", formats::Limits(), problems);
    if (!value || !value->object()) return 0;
    convertConfig(*value->object());
    readAdapter(*value);
    return 0;
}
