// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractListModel>
#include <QIcon>

#include <functional>

namespace wb::ui {

// One line of the command palette.
struct Command {
    QString title;
    QString detail; // greyed: a shortcut, a folder
    QIcon icon;
    std::function<void()> run;
    QString alias = {};     // found by this, too: its English
    QString synonyms = {};  // and by the beginnings of these words
    bool isMatched = false; // its giver has searched already; it stays even if the title does not fit the text
};

// The commands that fit a text, the best first; equal ones keep their order.
class CommandModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole };

    using QAbstractListModel::QAbstractListModel;

    void setCommands(QList<Command> commands, const QString& text);
    const Command& command(int row) const { return m_commands[row]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QList<Command> m_commands;
};

} // namespace wb::ui
