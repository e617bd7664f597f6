// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

class QWidget;

// Questions of the chat to the user before an action. Each waits for the answer.
namespace wb::ui::chat {

// Empty: none was chosen.
QString askForModelFile(QWidget* parent, const QString& folder);

bool askWhetherToDelete(QWidget* parent, const QString& title);

// A model's text has no authority: the address is shown whole, and the user says whether the browser opens it.
bool askWhetherToOpen(QWidget* parent, const QString& address);

struct ExportTarget {
    QString path;
    bool isJson = false; // else Markdown
};
std::optional<ExportTarget> askWhereToExport(QWidget* parent);

} // namespace wb::ui::chat
