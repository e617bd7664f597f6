// SPDX-License-Identifier: MIT
#include "ui/shell/settings/settings_store.h"

#include "ui/shell/settings/language.h"

namespace wb::ui {

SettingsStore::SettingsStore(const QString& path) : m_file(path, settingsVersion), m_path(path) {
    const JsonFile::Loaded loaded = m_file.load();
    m_settings = settingsFromJson(loaded.content);
    m_movedAsideTo = loaded.movedAsideTo;
}

void SettingsStore::set(const Settings& settings) {
    if (settings == m_settings) return;
    const Settings before = std::exchange(m_settings, settings);
    if (before.theme != settings.theme) applyTheme(settings.theme);
    if (before.language != settings.language) applyLanguage(settings.language);
    if (!m_file.save(toJson(settings))) Q_EMIT saveFailed(m_path);
    Q_EMIT changed();
}

void SettingsStore::apply() const {
    applyLanguage(m_settings.language);
    setFontSize(m_settings.fontSize); // widgets measure it when they are made, so a change waits for the next start
    applyTheme(m_settings.theme);
}

} // namespace wb::ui
