// SPDX-License-Identifier: MIT
#include "ui/inspect/document/document.h"

#include "core/io/byte_source.h"
#include "core/model/natural_order.h"
#include "core/stats/value_problems.h"
#include "ui/widgets/numbers.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace wb::ui::inspect {

Document::Document(stats::Contents contents, const QString& path, QObject* parent)
    : QObject(parent), m_contents(std::move(contents)), m_path(path.isEmpty() ? text(io::pathText(model().path)) : path) {
    m_computed = static_cast<std::uint32_t>(
        std::ranges::count_if(m_contents.stats, [](const stats::StatsPtr& stats) { return bool(stats); }));
    m_problems = model().problems;
    for (std::uint32_t i = 0; i < m_contents.stats.size(); ++i)
        if (m_contents.stats[i]) addProblems({i, m_contents.stats[i]});
    sortProblems(m_problems);
}

// Whether there are new ones. The first tensors with problems represent a model whose tensors all have some.
bool Document::addProblems(const TensorResult& result) {
    constexpr std::size_t most = 200; // tensors
    if (!result.problems.empty()) m_damaged.insert(result.tensor);
    if (!result.stats || m_withProblems.size() >= most || m_withProblems.contains(result.tensor)) return false;
    auto problems = stats::valueProblems(model(), model().tensors[result.tensor], *result.stats);
    problems.insert(problems.end(), result.problems.begin(), result.problems.end());
    if (problems.empty()) return false;
    m_withProblems.insert(result.tensor);
    std::ranges::move(problems, std::back_inserter(m_problems));
    return true;
}

// Of the content on a hub without the commit that the hub named, which is longer than the name.
QString Document::title() const {
    static const QRegularExpression commit(QStringLiteral("@[0-9a-f]{40}(?=:|$)"));
    const QString title = QFileInfo(QDir::cleanPath(m_path)).fileName();
    const bool isRemote = m_path.startsWith(QStringLiteral("hf:")) || m_path.startsWith(QStringLiteral("ms:"));
    return isRemote ? QString(title).remove(commit) : title;
}

void Document::addStatistics(std::span<const TensorResult> results) {
    bool hasProblems = false;
    for (const TensorResult& result : results) {
        if (!m_contents.stats[result.tensor]) ++m_computed;
        m_contents.stats[result.tensor] = result.stats;
        if (addProblems(result)) hasProblems = true;
    }
    if (!results.empty()) emit statisticsChanged();
    if (!hasProblems) return;
    sortProblems(m_problems);
    emit problemsChanged();
}

std::shared_ptr<stats::TensorPass> Document::pass(std::uint32_t tensor) const {
    if (!m_pass || m_pass->tensor() != tensor) m_pass = std::make_shared<stats::TensorPass>(m_contents.model, tensor);
    return m_pass;
}

const std::vector<std::uint32_t>& Document::nameRanks() const {
    if (m_nameRanks.size() != model().tensors.size()) m_nameRanks = naturalRanks(model().tensors);
    return m_nameRanks;
}

void Document::setDanger(std::shared_ptr<const Danger> danger) {
    m_danger = std::move(danger);
    emit dangerChanged();
}

} // namespace wb::ui::inspect
