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
    return {{QStringLiteral("context"), static_cast<qint64>(settings.context)},
            {QStringLiteral("keys"), cacheTypeText(settings.keys)},
            {QStringLiteral("values"), cacheTypeText(settings.values)},
            {QStringLiteral("threads"), static_cast<qint64>(settings.threads)}};
}

ModelSettings modelSettingsFromJson(const QJsonObject& json) {
    return {static_cast<std::size_t>(readNumber(json.value(QStringLiteral("context")), maxContext)),
            readCacheType(json.value(QStringLiteral("keys"))), readCacheType(json.value(QStringLiteral("values"))),
            static_cast<unsigned>(readNumber(json.value(QStringLiteral("threads")), maxThreads))};
}

} // namespace wb::ui::chat
