// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace wb::ui::chat {

class ModelList;

// Where no model is loaded: invites to choose one.
class ChoosePage : public QWidget {
    Q_OBJECT

public:
    // `settings` shows and hides the settings of the next load: the device is chosen before a model is loaded, or when it failed.
    explicit ChoosePage(QAction* settings, QWidget* parent = nullptr);

    ModelList* list() const { return m_list; }
    void setError(const QString& sentence); // empty: none

private:
    QLabel* m_error;
    ModelList* m_list;
};

} // namespace wb::ui::chat
