// SPDX-License-Identifier: MIT
#include "tests/unit/memory/golden_model.h"

#include "tests/unit/support/support.h"

#include <algorithm>
#include <fstream>

namespace wb::test {
namespace {

using Json = nlohmann::json;

Value jsonValue(const Json& json) {
    if (json.is_boolean()) return Value::of(json.get<bool>());
    if (json.is_number_unsigned()) return Value::ofUnsigned(ValueType::U32, json.get<std::uint64_t>());
    if (json.is_number()) return Value::ofFloat(ValueType::F64, json.get<double>());
    if (json.is_string()) return Value::of(json.get<std::string>());
    ValueArray array;
    for (const Json& element : json) array.first.push_back(jsonValue(element));
    array.count = array.first.size();
    if (array.count > 0) array.elementType = array.first[0].type;
    return Value::of(std::move(array));
}

Model jsonMetadata(const Json& json) {
    Model model;
    model.format = FormatId::Gguf;
    for (const auto& [key, value] : json["metadata"].items()) model.metadata.members.push_back({key, jsonValue(value)});
    model.metadata.count = model.metadata.members.size();
    model.architecture = json["metadata"]["general.architecture"].get<std::string>();
    return model;
}

Dtype typeNamed(const std::string& name) { return dtypeFromName(name).value_or(Dtype::Unknown); }

// A model of golden/memory with the types of one of its mixes.
ModelPtr modelWith(const Json& json, const Json& types) {
    auto model = std::make_shared<Model>(jsonMetadata(json));
    const auto typeOf = [&](const std::string& kind, const std::string& suffix, const Json* layer) {
        if (kind == "f32") return Dtype::F32;
        for (const auto& [type, names] : types["except"].items()) {
            if (!names.contains(suffix)) continue;
            const Json& where = names[suffix];
            if (where.is_boolean() ? layer == nullptr : layer && std::ranges::find(where, *layer) != where.end())
                return typeNamed(type);
        }
        return typeNamed(types["default"]);
    };
    const auto add = [&](const std::string& name, const Json& row, const Json* layer) {
        std::vector<std::uint64_t> dimensions = row[1];
        std::ranges::reverse(dimensions);
        TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = typeOf(row[2], row[0], layer);
        tensor.shape = *wb::Shape::make(dimensions);
        model->tensors.push_back(std::move(tensor));
    };
    for (const Json& row : json["tensors"]["global"]) add(row[0], row, nullptr);
    for (const Json& group : json["tensors"]["blocks"])
        for (const Json& layer : group["layers"])
            for (const Json& row : group["tensors"])
                add("blk." + std::to_string(layer.get<int>()) + "." + row[0].get<std::string>(), row, &layer);
    return model;
}

} // namespace

nlohmann::json goldenModel(const std::string& name) {
    return Json::parse(std::ifstream(shared() / "golden/memory/models" / (name + ".json")));
}

ModelPtr modelFromGolden(const nlohmann::json& description, const std::string& mix) {
    return modelWith(description, description["types"][mix]);
}

} // namespace wb::test
