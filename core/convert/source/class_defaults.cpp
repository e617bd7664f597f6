// SPDX-License-Identifier: MIT
#include "core/convert/source/class_defaults.h"

#include "core/formats/json/json.h"

namespace wb::convert {
namespace {

struct ClassDefault {
    std::string_view modelType, member;
    double number;
    bool isWhole;
};

constexpr ClassDefault classDefaults[] = {
    {"cohere", "layer_norm_eps", 1e-05, false},
    {"cohere", "logit_scale", 0.0625, false},
    {"cohere", "rope_theta", 500000.0, false},
    {"cohere2", "layer_norm_eps", 1e-05, false},
    {"cohere2", "logit_scale", 0.0625, false},
    {"cohere2", "rope_theta", 10000.0, false},
    {"cohere2", "sliding_window", 4096, true},
    {"exaone4", "rms_norm_eps", 1e-05, false},
    {"exaone4", "rope_theta", 10000.0, false},
    {"gemma", "head_dim", 256, true},
    {"gemma", "rms_norm_eps", 1e-06, false},
    {"gemma2", "attn_logit_softcapping", 50.0, false},
    {"gemma2", "final_logit_softcapping", 30.0, false},
    {"gemma2", "head_dim", 256, true},
    {"gemma2", "rms_norm_eps", 1e-06, false},
    {"gemma2", "sliding_window", 4096, true},
    {"gemma3_text", "head_dim", 256, true},
    {"gemma3_text", "rms_norm_eps", 1e-06, false},
    {"gemma3_text", "rope_local_base_freq", 10000.0, false},
    {"gemma3_text", "rope_theta", 1000000.0, false},
    {"gemma3_text", "sliding_window", 4096, true},
    {"gemma4_text", "rms_norm_eps", 1e-06, false},
    {"gemma4_text", "rope_theta", 1000000.0, false},
    {"gemma4_text", "sliding_window", 512, true},
    {"glm4", "head_dim", 128, true},
    {"glm4", "partial_rotary_factor", 0.5, false},
    {"glm4", "rms_norm_eps", 1.5625e-07, false},
    {"glm4", "rope_theta", 10000.0, false},
    {"glm4_moe", "num_experts_per_tok", 8, true},
    {"glm4_moe", "partial_rotary_factor", 0.5, false},
    {"glm4_moe", "rms_norm_eps", 1e-05, false},
    {"glm4_moe", "rope_theta", 10000.0, false},
    {"gpt2", "layer_norm_epsilon", 1e-05, false},
    {"gpt_oss", "head_dim", 64, true},
    {"gpt_oss", "num_experts_per_tok", 4, true},
    {"gpt_oss", "rms_norm_eps", 1e-05, false},
    {"gpt_oss", "rope_theta", 150000.0, false},
    {"gpt_oss", "sliding_window", 128, true},
    {"granite", "attention_multiplier", 1.0, false},
    {"granite", "embedding_multiplier", 1.0, false},
    {"granite", "logits_scaling", 1.0, false},
    {"granite", "residual_multiplier", 1.0, false},
    {"granite", "rms_norm_eps", 1e-06, false},
    {"granite", "rope_theta", 10000.0, false},
    {"granitemoe", "attention_multiplier", 1.0, false},
    {"granitemoe", "embedding_multiplier", 1.0, false},
    {"granitemoe", "logits_scaling", 1.0, false},
    {"granitemoe", "num_experts_per_tok", 2, true},
    {"granitemoe", "residual_multiplier", 1.0, false},
    {"granitemoe", "rms_norm_eps", 1e-06, false},
    {"granitemoe", "rope_theta", 10000.0, false},
    {"llama", "rms_norm_eps", 1e-06, false},
    {"llama", "rope_theta", 10000.0, false},
    {"ministral3", "head_dim", 128, true},
    {"ministral3", "rms_norm_eps", 1e-05, false},
    {"ministral3", "rope_theta", 1000000.0, false},
    {"mistral", "rms_norm_eps", 1e-06, false},
    {"mistral", "rope_theta", 10000.0, false},
    {"mixtral", "num_experts_per_tok", 2, true},
    {"mixtral", "rms_norm_eps", 1e-05, false},
    {"mixtral", "rope_theta", 1000000.0, false},
    {"olmo2", "rms_norm_eps", 1e-05, false},
    {"olmo2", "rope_theta", 10000.0, false},
    {"olmo3", "rms_norm_eps", 1e-05, false},
    {"olmo3", "rope_theta", 500000.0, false},
    {"olmo3", "sliding_window", 4096, true},
    {"phi", "layer_norm_eps", 1e-05, false},
    {"phi", "partial_rotary_factor", 0.5, false},
    {"phi", "rope_theta", 10000.0, false},
    {"phi3", "original_max_position_embeddings", 4096, true},
    {"phi3", "rms_norm_eps", 1e-05, false},
    {"phi3", "rope_theta", 10000.0, false},
    {"qwen2", "rms_norm_eps", 1e-06, false},
    {"qwen2", "rope_theta", 10000.0, false},
    {"qwen2_moe", "num_experts_per_tok", 4, true},
    {"qwen2_moe", "rms_norm_eps", 1e-06, false},
    {"qwen2_moe", "rope_theta", 10000.0, false},
    {"qwen3", "head_dim", 128, true},
    {"qwen3", "rms_norm_eps", 1e-06, false},
    {"qwen3", "rope_theta", 10000.0, false},
    {"qwen3_moe", "num_experts_per_tok", 8, true},
    {"qwen3_moe", "rms_norm_eps", 1e-06, false},
    {"qwen3_moe", "rope_theta", 10000.0, false},
    {"smollm3", "rms_norm_eps", 1e-06, false},
    {"smollm3", "rope_theta", 2000000.0, false},
    {"stablelm", "layer_norm_eps", 1e-05, false},
    {"stablelm", "partial_rotary_factor", 0.25, false},
    {"stablelm", "rope_theta", 10000.0, false},
    {"starcoder2", "norm_epsilon", 1e-05, false},
    {"starcoder2", "rope_theta", 10000.0, false},
};

// What is no number, as JSON. The base of the rotation is a row above.
struct ClassText {
    std::string_view modelType, member, json;
};

constexpr ClassText classTexts[] = {
    {"gpt_oss", "rope_parameters",
     R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "original_max_position_embeddings": 4096})"},
    {"ministral3", "rope_parameters",
     R"({"rope_type": "yarn", "factor": 16.0, "beta_fast": 32.0, "beta_slow": 1.0, "original_max_position_embeddings": 16384,
         "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1})"},
    {"stablelm", "use_parallel_residual", "false"},
};

bool isStatedElsewhere(const ValueObject& config, std::string_view member) {
    const Value* const rope = config.find("rope_parameters"); // of transformers 5
    const ValueObject* const parameters = rope ? rope->object() : nullptr;
    if (member == "partial_rotary_factor") return parameters && parameters->find(member);
    if (member == "rope_theta") return parameters || config.find("rotary_emb_base");
    if (member == "rope_parameters") return config.find("rope_scaling"); // of transformers 4
    return member == "rope_local_base_freq" && parameters;
}

void addTexts(ValueObject& config, std::string_view modelType, std::vector<std::string>& added) {
    std::vector<Problem> problems;
    for (const ClassText& row : classTexts) {
        if (row.modelType != modelType || config.find(row.member) || isStatedElsewhere(config, row.member)) continue;
        auto value = json::parse(row.json, std::string(row.member), formats::Limits(), problems);
        if (!value) continue; // the rows above are JSON
        config.members.push_back({std::string(row.member), std::move(*value)});
        added.emplace_back(row.member);
    }
}

} // namespace

std::vector<std::string> addClassDefaults(ValueObject& config) {
    const Value* const type = config.find("model_type");
    const std::string modelType = type && type->string() ? *type->string() : std::string();
    std::vector<std::string> added;
    for (const ClassDefault& row : classDefaults) {
        if (row.modelType != modelType || config.find(row.member) || isStatedElsewhere(config, row.member)) continue;
        Value value = row.isWhole ? Value::ofUnsigned(ValueType::U64, static_cast<std::uint64_t>(row.number))
                                  : Value::ofFloat(ValueType::F64, row.number);
        config.members.push_back({std::string(row.member), std::move(value)});
        added.emplace_back(row.member);
    }
    addTexts(config, modelType, added);
    config.count = config.members.size();
    return added;
}

} // namespace wb::convert
