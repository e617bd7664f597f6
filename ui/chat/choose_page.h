// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace wb::ui::chat {

// Where no model is loaded: invites to choose one, or one of those that were used before.
class ChoosePage : public QWidget {
    Q_OBJECT

public:
    explicit ChoosePage(QWidget* parent = nullptr);

    void setRecent(const QStringList& paths);
    void setError(const QString& sentence); // empty: none

signals:
    void chooseWanted();
    void chosen(const QString& path);

private:
    QLabel* m_error;
    QVBoxLayout* m_recent;
    QStringList m_shown; // recent models
};

} // namespace wb::ui::chat
