// SPDX-License-Identifier: MIT
#include "ui/chat/model_choices.h"

#include "core/base/split_name.h"
#include "core/hub/variants.h"
#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/theme.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <limits>
#include <tuple>

namespace wb::ui::chat {

ModelChoices::Choice ModelChoices::choiceFrom(const LocalModel& model) {
    const wb::library::Entry& entry = model.entry;
    return {qtPath(entry.path),    ui::text(entry.name), ui::text(entry.facts.quant), entry.bytes(), false,
            entry.facts.isDamaged, model.check};
}

// Facts of the name and the disk. A split model has the size of all its files, which only the library knows.
ModelChoices::Choice ModelChoices::choiceFromPath(const QString& path) {
    const QFileInfo file(path);
    const bool isSplit = parseSplitName(file.completeBaseName().toStdString()).has_value();
    const std::string type = wb::hub::quantLabel(file.fileName().toStdString());
    return {path, file.fileName(), ui::text(type), isSplit ? 0 : static_cast<quint64>(file.size()), false, false, {}};
}

void ModelChoices::setModels(const QList<LocalModel>& models, const QStringList& recent, const QStringList& open) {
    struct Ranked {
        std::tuple<qsizetype, int, qint64> rank; // recent, runs here, last used
        Choice choice;
    };
    std::vector<Ranked> ranked;
    QStringList missing =
        recent + open.filter(QRegularExpression(QStringLiteral("\\.gguf$"), QRegularExpression::CaseInsensitiveOption));
    missing.removeDuplicates();
    for (const LocalModel& model : models) {
        if (model.entry.facts.format != FormatId::Gguf) continue;
        Choice choice = choiceFrom(model);
        const qsizetype at = recent.indexOf(choice.path);
        choice.isRecent = at >= 0;
        missing.removeAll(choice.path);
        const bool isRefused = choice.isDamaged || (choice.check && choice.check->refusal);
        const int group = isRefused ? 2 : choice.check && !choice.check->runs() ? 1 : 0;
        ranked.push_back({{choice.isRecent ? at : recent.size(), group, -model.entry.lastUsed()}, std::move(choice)});
    }
    for (const QString& path : missing) {
        Choice choice = choiceFromPath(path);
        choice.isRecent = recent.contains(path);
        const qsizetype at = choice.isRecent ? recent.indexOf(path) : recent.size();
        ranked.push_back({{at, 0, std::numeric_limits<qint64>::min()}, std::move(choice)});
    }
    std::ranges::stable_sort(ranked, {}, &Ranked::rank);
    m_all.clear();
    for (Ranked& one : ranked) m_all.push_back(std::move(one.choice));
    setFilter(m_words.join(u' '));
}

void ModelChoices::setFilter(const QString& words) {
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    std::vector<Choice> shown;
    std::ranges::copy_if(m_all, std::back_inserter(shown), [this](const Choice& choice) { return matches(choice); });
    show(std::move(shown));
}

bool ModelChoices::matches(const Choice& choice) const {
    return std::ranges::all_of(m_words, [&choice](const QString& word) {
        return choice.name.contains(word, Qt::CaseInsensitive) || choice.type.contains(word, Qt::CaseInsensitive) ||
               choice.path.contains(word, Qt::CaseInsensitive);
    });
}

// What is chosen stays chosen where only a fact of a model became known.
void ModelChoices::show(std::vector<Choice> choices) {
    if (std::ranges::equal(choices, m_shown, {}, &Choice::path, &Choice::path)) {
        m_shown = std::move(choices);
        if (!m_shown.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_shown = std::move(choices);
    endResetModel();
}

void ModelChoices::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_shown.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ModelChoices::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_shown.size()); }

int ModelChoices::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ModelChoices::fitText(const Choice& choice) const {
    if (choice.isDamaged) return tr("damaged");
    return choice.check ? runWord(*choice.check) : QStringLiteral("–");
}

QVariant ModelChoices::fitColor(const Choice& choice) const {
    const ThemeColors colors = themeColors();
    if (choice.isDamaged) return colors.error;
    if (!choice.check) return colors.muted;
    if (!choice.check->runs()) return colors.error;
    const bool isTight = choice.check->fit && choice.check->fit->verdict != wb::memory::Verdict::Fits;
    return isTight ? colors.warning : colors.good;
}

QString ModelChoices::toolTip(const Choice& choice) const {
    const QString path = plainText(choice.path);
    return choice.check ? path + QStringLiteral("<br>") + plainText(runSentence(*choice.check)) : path;
}

QVariant ModelChoices::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Choice& choice = m_shown[static_cast<std::size_t>(index.row())];
    switch (role) {
    case PathRole: return choice.path;
    case Qt::ToolTipRole: return toolTip(choice);
    case Qt::ForegroundRole: return index.column() == Fits ? fitColor(choice) : QVariant();
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (index.column() == Size ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::DecorationRole:
        if (index.column() != Name) return {};
        return icon(choice.isDamaged  ? QStringLiteral("warning")
                    : choice.isRecent ? QStringLiteral("chat")
                                      : QStringLiteral("file"));
    case Qt::DisplayRole: break;
    default: return {};
    }
    switch (index.column()) {
    case Name: return choice.name;
    case Type: return choice.type.isEmpty() ? QStringLiteral("–") : choice.type;
    case Size: return choice.bytes == 0 ? QStringLiteral("–") : fileSizeText(choice.bytes);
    case Fits: return fitText(choice);
    default: return {};
    }
}

QVariant ModelChoices::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (section == Size ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Model");
    case Type: return tr("Type");
    case Size: return tr("Size");
    case Fits: return tr("Runs here");
    default: return {};
    }
}

} // namespace wb::ui::chat
