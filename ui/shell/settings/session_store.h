// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/json_file.h"
#include "ui/shell/start/recent_files.h"

namespace wb::ui {

// State restored at the next start: the recent files, the place in use and what each tab gave.
class SessionStore {
public:
    explicit SessionStore(const QString& path);

    RecentFiles recent;
    QString place;    // the id of the tab in use; empty: the start page
    QJsonObject tabs; // id → Tab::saveSession()

    bool save() const;

private:
    JsonFile m_file;
};

inline constexpr int sessionVersion = 1;

} // namespace wb::ui
