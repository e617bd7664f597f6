// SPDX-License-Identifier: MIT
#include "core/chat/conversation_settings.h"

#include "core/base/json_writer.h"
#include "core/text/jinja/json_values.h"

#include <algorithm>
#include <cmath>

namespace wb::chat {
namespace {

namespace jinja = text::jinja;

struct RealKey {
    const char* name;
    std::optional<double> CompletionSettings::* member;
    double low, high;
};

constexpr std::size_t maxStopStrings = 16, maxStopBytes = 1000, maxTextBytes = 1 << 20;

constexpr RealKey reals[] = {
    {"temperature", &ConversationSettings::temperature, 0, 5},
    {"topP", &ConversationSettings::topP, 0, 1},
    {"minP", &ConversationSettings::minP, 0, 1},
    {"repeatPenalty", &ConversationSettings::repeatPenalty, 0.1, 5},
    {"dryMultiplier", &ConversationSettings::dryMultiplier, 0, 10},
    {"xtcProbability", &ConversationSettings::xtcProbability, 0, 1},
};

// Empty where the member is absent, is not a number, or is outside of the range.
std::optional<double> objectReal(const jinja::Dict& object, const char* key, double low, double high) {
    const jinja::Value* const value = object.find(key);
    if (!value || value->boolean() || !value->isNumber()) return std::nullopt;
    const double number = value->number();
    return number >= low && number <= high ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> objectInteger(const jinja::Dict& object, const char* key, std::int64_t low, std::int64_t high) {
    const auto number = objectReal(object, key, static_cast<double>(low), static_cast<double>(high));
    if (!number || *number != std::trunc(*number)) return std::nullopt;
    const std::int64_t* const exact = object.find(key)->integer();
    return exact ? *exact : static_cast<std::int64_t>(*number);
}

// Those of a settings file, which may hold anything.
std::vector<std::string> readStopStrings(const jinja::Dict& object) {
    std::vector<std::string> strings;
    const jinja::Value* const stop = object.find("stop");
    const jinja::List* const list = stop ? stop->list() : nullptr;
    if (!list) return strings;
    for (const jinja::Value& value : *list)
        if (value.text() && !value.text()->bytes.empty() && value.text()->bytes.size() <= maxStopBytes &&
            strings.size() < maxStopStrings)
            strings.push_back(value.text()->bytes);
    return strings;
}

// Empty where the member is absent, is not text, or exceeds the limit.
std::string readText(const jinja::Dict& object, const char* key) {
    const jinja::Value* const value = object.find(key);
    return value && value->text() && value->text()->bytes.size() <= maxTextBytes ? value->text()->bytes : std::string();
}

} // namespace

ConversationSettings settingsFromJson(const std::string& json) {
    const std::optional<jinja::Value> document = jinja::valueOfJson(json);
    ConversationSettings settings;
    if (!document || !document->dict()) return settings;
    const jinja::Dict& object = *document->dict();
    settings.leftOut = objectInteger(object, "leftOut", 0, std::int64_t{1} << 53).value_or(0);
    if (const jinja::Value* instruction = object.find("instruction"); instruction && instruction->text())
        settings.instruction = instruction->text()->bytes;
    for (const RealKey& key : reals) settings.*key.member = objectReal(object, key.name, key.low, key.high);
    if (const auto topK = objectInteger(object, "topK", 0, 1'000'000)) settings.topK = static_cast<int>(*topK);
    if (const auto seed = objectInteger(object, "seed", 0, 0xFFFF'FFFF)) settings.seed = static_cast<std::uint32_t>(*seed);
    if (const auto most = objectInteger(object, "maxTokens", 1, 1'000'000'000))
        settings.maxTokens = static_cast<std::size_t>(*most);
    if (const auto budget = objectInteger(object, "reasoningBudget", 0, 1'000'000'000))
        settings.reasoningBudget = static_cast<std::size_t>(*budget);
    settings.stopStrings = readStopStrings(object);
    settings.responseSchema = readText(object, "responseSchema");
    settings.chatTemplate = readText(object, "chatTemplate");
    return settings;
}

std::string settingsJson(const ConversationSettings& settings) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    const auto put = [&json](const char* key, auto number) {
        json.key(key);
        if constexpr (std::is_integral_v<decltype(number)>) json.integer(number);
        else json.number(number);
    };
    json.beginObject();
    if (settings.leftOut > 0) put("leftOut", settings.leftOut);
    if (!settings.instruction.empty()) {
        json.key("instruction");
        json.string(settings.instruction);
    }
    for (const RealKey& key : reals)
        if (settings.*key.member) put(key.name, *(settings.*key.member));
    if (settings.topK) put("topK", *settings.topK);
    if (settings.seed) put("seed", *settings.seed);
    if (settings.maxTokens) put("maxTokens", *settings.maxTokens);
    if (settings.reasoningBudget) put("reasoningBudget", *settings.reasoningBudget);
    if (!settings.stopStrings.empty()) {
        json.key("stop");
        json.beginArray();
        for (const std::string& stop : settings.stopStrings) json.string(stop);
        json.endArray();
    }
    for (const auto& [key, words] :
         {std::pair("responseSchema", &settings.responseSchema), {"chatTemplate", &settings.chatTemplate}}) {
        if (words->empty()) continue;
        json.key(key);
        json.string(*words);
    }
    json.endObject();
    json.finish();
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

std::vector<Message> messagesFor(const Conversation& conversation, const ConversationSettings& settings, std::int64_t turn) {
    std::vector<Message> messages;
    for (const Turn* at = conversation.find(turn); at && at->id > settings.leftOut; at = conversation.find(at->parent))
        messages.push_back({at->role, at->text});
    if (!settings.instruction.empty()) messages.push_back({Role::System, settings.instruction});
    std::ranges::reverse(messages);
    return messages;
}

bool ConversationSettings::changesSampling() const {
    bool isSet = topK.has_value();
    for (const RealKey& key : reals) isSet = isSet || this->*key.member;
    return isSet;
}

void ConversationSettings::resetSampling() {
    topK.reset();
    for (const RealKey& key : reals) (this->*key.member).reset();
}

void applyPreset(Preset preset, ConversationSettings& settings) {
    settings.resetSampling();
    switch (preset) {
    case Preset::Defaults: return;
    case Preset::Greedy: settings.temperature = 0; return;
    case Preset::Balanced:
        settings.temperature = 0.7;
        settings.topK = 40;
        settings.topP = 0.95;
        settings.minP = 0.05;
        return;
    case Preset::Creative:
        settings.temperature = 1.1;
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0.03;
        settings.dryMultiplier = 0.8;
        settings.xtcProbability = 0.3;
        return;
    }
}

std::optional<Preset> matchingPreset(const ConversationSettings& settings) {
    for (const Preset preset : {Preset::Defaults, Preset::Greedy, Preset::Balanced, Preset::Creative}) {
        ConversationSettings as = settings;
        applyPreset(preset, as);
        if (as == settings) return preset;
    }
    return std::nullopt;
}

} // namespace wb::chat
