// SPDX-License-Identifier: MIT
#include "ui/chat/conversation_settings.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace wb::ui::chat {
namespace {

struct RealKey {
    const char* name;
    std::optional<double> ConversationSettings::* member;
    double low, high;
};

constexpr RealKey reals[] = {
    {"temperature", &ConversationSettings::temperature, 0, 5},
    {"topP", &ConversationSettings::topP, 0, 1},
    {"minP", &ConversationSettings::minP, 0, 1},
    {"repeatPenalty", &ConversationSettings::repeatPenalty, 0.1, 5},
    {"dryMultiplier", &ConversationSettings::dryMultiplier, 0, 10},
    {"xtcProbability", &ConversationSettings::xtcProbability, 0, 1},
};

std::optional<qint64> integerOf(const QJsonObject& object, const char* key, qint64 low, qint64 high) {
    const QJsonValue value = object.value(QLatin1String(key));
    const qint64 number = value.toInteger(low - 1);
    return number >= low && number <= high ? std::optional(number) : std::nullopt;
}

} // namespace

ConversationSettings settingsOf(const std::string& json) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    ConversationSettings settings;
    settings.leftOut = object.value(QLatin1String("leftOut")).toInteger();
    settings.instruction = object.value(QLatin1String("instruction")).toString().toStdString();
    for (const RealKey& key : reals) {
        const double number = object.value(QLatin1String(key.name)).toDouble(key.low - 1);
        if (number >= key.low && number <= key.high) settings.*key.member = number;
    }
    if (const auto topK = integerOf(object, "topK", 0, 1'000'000)) settings.topK = static_cast<int>(*topK);
    if (const auto seed = integerOf(object, "seed", 0, 0xFFFF'FFFF)) settings.seed = static_cast<std::uint32_t>(*seed);
    if (const auto most = integerOf(object, "maxTokens", 1, 1'000'000'000)) settings.maxTokens = static_cast<std::size_t>(*most);
    if (const auto budget = integerOf(object, "reasoningBudget", 0, 1'000'000'000))
        settings.reasoningBudget = static_cast<std::size_t>(*budget);
    return settings;
}

std::string jsonOf(const ConversationSettings& settings) {
    QJsonObject object;
    if (settings.leftOut > 0) object.insert(QLatin1String("leftOut"), static_cast<qint64>(settings.leftOut));
    if (!settings.instruction.empty()) object.insert(QLatin1String("instruction"), QString::fromStdString(settings.instruction));
    for (const RealKey& key : reals)
        if (settings.*key.member) object.insert(QLatin1String(key.name), *(settings.*key.member));
    if (settings.topK) object.insert(QLatin1String("topK"), *settings.topK);
    if (settings.seed) object.insert(QLatin1String("seed"), static_cast<qint64>(*settings.seed));
    if (settings.maxTokens) object.insert(QLatin1String("maxTokens"), static_cast<qint64>(*settings.maxTokens));
    if (settings.reasoningBudget) object.insert(QLatin1String("reasoningBudget"), static_cast<qint64>(*settings.reasoningBudget));
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

void ConversationSettings::applyTo(text::SamplingOptions& options) const {
    const auto take = [](const std::optional<double>& from, float& into) {
        if (from) into = static_cast<float>(*from);
    };
    take(temperature, options.temperature);
    take(topP, options.topP);
    take(minP, options.minP);
    take(repeatPenalty, options.repeatPenalty);
    take(dryMultiplier, options.dryMultiplier);
    take(xtcProbability, options.xtcProbability);
    if (topK) options.topK = *topK;
    if (seed) options.seed = *seed;
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
    case Preset::ModelsOwn: return;
    case Preset::Exact: settings.temperature = 0; return;
    case Preset::Balanced:
        settings.temperature = 0.7;
        settings.topK = 40;
        settings.topP = 0.95;
        settings.minP = 0.05;
        return;
    case Preset::Lively:
        settings.temperature = 1.1;
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0.03;
        settings.dryMultiplier = 0.8;
        settings.xtcProbability = 0.3;
        return;
    }
}

std::optional<Preset> presetOf(const ConversationSettings& settings) {
    for (const Preset preset : {Preset::ModelsOwn, Preset::Exact, Preset::Balanced, Preset::Lively}) {
        ConversationSettings as = settings;
        applyPreset(preset, as);
        if (as == settings) return preset;
    }
    return std::nullopt;
}

} // namespace wb::ui::chat
