// SPDX-License-Identifier: MIT
#include "core/convert/source/merge_choices.h"

#include "core/base/json_writer.h"

namespace wb::convert {

void writeMerge(JsonWriter& out, const MergeChoices& choices) {
    const merge::MergeSettings& settings = choices.settings;
    out.beginObject();
    out.key("method"), out.string(name(settings.method));
    out.key("models"), out.beginArray();
    for (std::size_t i = 0; i < choices.models.size(); ++i) {
        out.beginObject();
        out.key("path"), out.string(choices.models[i]);
        out.key("weight"), out.number(i < settings.weights.size() ? settings.weights[i] : 1.0);
        out.endObject();
    }
    out.endArray();
    out.key("base_weight"), out.number(settings.baseWeight);
    out.key("t"), out.number(settings.t);
    out.key("density"), out.number(settings.density);
    out.key("lambda"), out.number(settings.lambda);
    out.key("normalize");
    if (settings.normalizes) out.boolean(*settings.normalizes);
    else out.null();
    out.key("rescale"), out.string(name(settings.rescale));
    out.key("seed"), out.integer(settings.seed);
    out.key("rules"), out.beginArray();
    for (const merge::MergeRule& rule : settings.rules) out.string(settingText(rule));
    out.endArray();
    out.key("layers"), out.string(settingText(settings.layers));
    out.key("tokenizer"), out.string(choices.tokenizer);
    out.endObject();
}

namespace {

class MergeReader {
public:
    explicit MergeReader(const ValueObject& object) : m_object(object) {}

    std::optional<MergeChoices> read() {
        merge::MergeSettings& settings = m_choices.settings;
        const auto method = merge::mergeMethodFromName(text("method"));
        const auto rescale = merge::mergeRescaleFromName(text("rescale"));
        m_isValid = m_isValid && method && rescale;
        if (!m_isValid) return std::nullopt;
        settings.method = *method;
        settings.rescale = *rescale;
        settings.baseWeight = number("base_weight");
        settings.t = number("t");
        settings.density = number("density");
        settings.lambda = number("lambda");
        readNormalize(settings.normalizes);
        const Value* const seed = m_object.find("seed");
        m_isValid = m_isValid && seed && seed->unsignedNumber();
        if (m_isValid) settings.seed = *seed->unsignedNumber();
        readModels();
        readRules();
        readLayers(text("layers"));
        m_choices.tokenizer = text("tokenizer");
        if (!m_isValid || !checkSettings(settings)) return std::nullopt;
        return m_choices;
    }

private:
    std::string text(std::string_view key) {
        const Value* const value = m_object.find(key);
        m_isValid = m_isValid && value && value->string();
        return m_isValid ? *value->string() : std::string();
    }

    double number(std::string_view key) {
        const Value* const value = m_object.find(key);
        m_isValid = m_isValid && value && value->number();
        return m_isValid ? *value->number() : 0;
    }

    void readNormalize(std::optional<bool>& normalizes) {
        const Value* const value = m_object.find("normalize");
        const bool* const flag = value ? std::get_if<bool>(&value->data) : nullptr;
        m_isValid = m_isValid && value && (flag || value->type == ValueType::Null);
        if (flag) normalizes = *flag;
    }

    const std::vector<Value>* array(std::string_view key) {
        const Value* const value = m_object.find(key);
        m_isValid = m_isValid && value && value->array() && value->array()->complete();
        return m_isValid ? &value->array()->first : nullptr;
    }

    void readModels() {
        const auto* const models = array("models");
        for (const Value& element : models ? *models : std::vector<Value>()) {
            const Value* const path = element.object() ? element.object()->find("path") : nullptr;
            const Value* const weight = element.object() ? element.object()->find("weight") : nullptr;
            m_isValid = m_isValid && path && path->string() && weight && weight->number();
            if (!m_isValid) return;
            m_choices.models.push_back(*path->string());
            m_choices.settings.weights.push_back(*weight->number());
        }
    }

    void readRules() {
        const auto* const rules = array("rules");
        for (const Value& element : rules ? *rules : std::vector<Value>()) {
            auto rule = element.string() ? merge::parseMergeRule(*element.string()) : Result<merge::MergeRule>();
            m_isValid = m_isValid && element.string() && rule;
            if (!m_isValid) return;
            m_choices.settings.rules.push_back(std::move(*rule));
        }
    }

    void readLayers(const std::string& text) {
        if (text.empty()) return;
        auto layers = merge::parseLayerSlices(text);
        m_isValid = m_isValid && layers;
        if (m_isValid) m_choices.settings.layers = std::move(*layers);
    }

    const ValueObject& m_object;
    MergeChoices m_choices;
    bool m_isValid = true;
};

} // namespace

std::optional<MergeChoices> readMerge(const Value& value) {
    if (!value.object()) return std::nullopt;
    return MergeReader(*value.object()).read();
}

} // namespace wb::convert
