// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;

namespace wb::ui::chat {

class ModelList;

// Where no model is loaded: invites to choose one.
class ChoosePage : public QWidget {
    Q_OBJECT

public:
    explicit ChoosePage(QWidget* parent = nullptr);

    ModelList* list() const { return m_list; }
    void setError(const QString& sentence); // empty: none

private:
    QLabel* m_error;
    ModelList* m_list;
};

} // namespace wb::ui::chat
