// SPDX-License-Identifier: MIT
#include "ui/chat/model_settings.h"

#include <string>

namespace wb::ui::chat {
namespace {

QString cacheTypeText(infer::CacheType type) {
    const std::string_view name = infer::name(type);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

infer::CacheType readCacheType(const QJsonValue& value) {
    return infer::findCacheType(value.toString().toStdString()).value_or(infer::CacheType::F16);
}

qint64 readNumber(const QJsonValue& value, qint64 most) {
    const qint64 number = value.toInteger();
    return number >= 0 && number <= most ? number : 0;
}

} // namespace

QJsonObject modelSettingsToJson(const ModelSettings& settings) {
    QJsonObject json{{QStringLiteral("context"), static_cast<qint64>(settings.context)},
                     {QStringLiteral("keys"), cacheTypeText(settings.keys)},
                     {QStringLiteral("values"), cacheTypeText(settings.values)},
                     {QStringLiteral("threads"), static_cast<qint64>(settings.threads)}};
    if (settings.device) json.insert(QStringLiteral("device"), QString::fromStdString(deviceText(*settings.device)));
    if (settings.gpuLayers) json.insert(QStringLiteral("gpuLayers"), static_cast<qint64>(*settings.gpuLayers));
    return json;
}

ModelSettings modelSettingsFromJson(const QJsonObject& json) {
    ModelSettings settings{.context = static_cast<std::size_t>(readNumber(json.value(QStringLiteral("context")), maxContext)),
                           .keys = readCacheType(json.value(QStringLiteral("keys"))),
                           .values = readCacheType(json.value(QStringLiteral("values"))),
                           .threads = static_cast<unsigned>(readNumber(json.value(QStringLiteral("threads")), maxThreads))};
    const QJsonValue device = json.value(QStringLiteral("device"));
    if (device.isString()) settings.device = deviceFromText(device.toString().toStdString());
    const qint64 layers = json.value(QStringLiteral("gpuLayers")).toInteger(-1);
    if (layers >= 0 && layers <= maxLayers) settings.gpuLayers = static_cast<std::uint64_t>(layers);
    return settings;
}

} // namespace wb::ui::chat
