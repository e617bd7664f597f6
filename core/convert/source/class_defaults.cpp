// SPDX-License-Identifier: MIT
#include "core/convert/source/class_defaults.h"

#include "core/arch/family.h"
#include "core/formats/json/json.h"

namespace wb::convert {
namespace {

bool isStatedElsewhere(const ValueObject& config, std::string_view member) {
    const Value* const rope = config.find("rope_parameters"); // of transformers 5
    const ValueObject* const parameters = rope ? rope->object() : nullptr;
    if (member == "partial_rotary_factor") return parameters && parameters->find(member);
    if (member == "rope_theta") return parameters || config.find("rotary_emb_base");
    if (member == "rope_parameters") return config.find("rope_scaling"); // of transformers 4
    return member == "rope_local_base_freq" && parameters;
}

} // namespace

std::vector<std::string> addClassDefaults(ValueObject& config) {
    const Value* const name = config.find("model_type");
    const arch::ModelType* const type = name && name->string() ? arch::findModelType(*name->string()).type : nullptr;
    std::vector<std::string> added;
    std::vector<Problem> problems;
    for (const arch::MemberValue& row : type ? type->defaults : std::span<const arch::MemberValue>()) {
        if (config.find(row.member) || isStatedElsewhere(config, row.member)) continue;
        auto value = json::parse(row.json, std::string(row.member), formats::Limits(), problems);
        if (!value) continue; // a test parses every row
        config.members.push_back({std::string(row.member), std::move(*value)});
        added.emplace_back(row.member);
    }
    config.count = config.members.size();
    return added;
}

} // namespace wb::convert
