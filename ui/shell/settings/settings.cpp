// SPDX-License-Identifier: MIT
#include "ui/shell/settings/settings.h"

#include <QStringList>

namespace wb::ui {
namespace {

const QStringList themeNames = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")}; // as enum Theme
const QStringList languages = {QString(), QStringLiteral("en"), QStringLiteral("zh_CN")};

} // namespace

Settings settingsFromJson(const QJsonObject& json) {
    Settings settings;
    const QString language = json[QLatin1String("language")].toString();
    if (languages.contains(language)) settings.language = language;
    const auto theme = themeNames.indexOf(json[QLatin1String("theme")].toString());
    if (theme >= 0) settings.theme = static_cast<Theme>(theme);
    const int threads = json[QLatin1String("threads")].toInt();
    if (threads >= 0 && threads <= 1024) settings.threads = threads;
    settings.cacheFolder = json[QLatin1String("cacheFolder")].toString();
    settings.openFolder = json[QLatin1String("openFolder")].toString();
    settings.modelsFolder = json[QLatin1String("modelsFolder")].toString();
    settings.proxy = json[QLatin1String("proxy")].toString();
    const int points = json[QLatin1String("fontSize")].toInt();
    if (points >= minFontSize && points <= maxFontSize) settings.fontSize = points;
    const int context = json[QLatin1String("context")].toInt();
    if (context >= 0 && context <= maxContext) settings.context = context;
    settings.device = deviceFromText(json[QLatin1String("device")].toString().toStdString());
    return settings;
}

QJsonObject toJson(const Settings& settings) {
    return {{QStringLiteral("language"), settings.language},
            {QStringLiteral("theme"), themeNames[static_cast<int>(settings.theme)]},
            {QStringLiteral("threads"), settings.threads},
            {QStringLiteral("cacheFolder"), settings.cacheFolder},
            {QStringLiteral("openFolder"), settings.openFolder},
            {QStringLiteral("modelsFolder"), settings.modelsFolder},
            {QStringLiteral("proxy"), settings.proxy},
            {QStringLiteral("fontSize"), settings.fontSize},
            {QStringLiteral("context"), settings.context},
            {QStringLiteral("device"), QString::fromStdString(deviceText(settings.device))}};
}

} // namespace wb::ui
