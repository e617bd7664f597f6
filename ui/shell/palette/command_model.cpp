// SPDX-License-Identifier: MIT
#include "ui/shell/palette/command_model.h"

#include "ui/shell/palette/fuzzy.h"

#include <algorithm>

namespace wb::ui {
namespace {

constexpr qsizetype maxShown = 60;

} // namespace

void CommandModel::setCommands(QList<Command> commands, const QString& text) {
    QList<std::pair<int, Command>> ranked;
    for (Command& command : commands) {
        const std::optional<int> score =
            std::max({fuzzyScore(command.title, text), fuzzyScore(command.alias, text), wordScore(command.synonyms, text)});
        if (score || command.isMatched) ranked.append({score.value_or(0), std::move(command)});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    beginResetModel();
    m_commands.clear();
    for (auto& entry : ranked) {
        if (m_commands.size() < maxShown) m_commands.append(std::move(entry.second));
    }
    endResetModel();
}

int CommandModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_commands.size()); }

QVariant CommandModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Command& command = m_commands[index.row()];
    switch (role) {
    case Qt::DisplayRole: return command.title;
    case Qt::DecorationRole: return command.icon;
    case Qt::AccessibleTextRole: return command.detail.isEmpty() ? command.title : tr("%1, %2").arg(command.title, command.detail);
    case DetailRole: return command.detail;
    default: return {};
    }
}

} // namespace wb::ui
