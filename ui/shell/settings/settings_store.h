// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/settings.h"

#include <QObject>

namespace wb::ui {

// The settings in use and their file. A change is applied (theme, language) and saved at once.
class SettingsStore : public QObject {
    Q_OBJECT

public:
    explicit SettingsStore(const QString& path);

    const Settings& settings() const { return m_settings; }
    void set(const Settings& settings);
    void apply() const; // at start-up: the theme and the language that were loaded

    // Where a broken settings file was kept; empty if there was none.
    QString movedAsideTo() const { return m_movedAsideTo; }

signals:
    void changed();
    void saveFailed(const QString& path);

private:
    JsonFile m_file;
    QString m_path;
    Settings m_settings;
    QString m_movedAsideTo;
};

} // namespace wb::ui
