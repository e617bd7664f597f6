// SPDX-License-Identifier: MIT
#include "ui/inspect/document/document.h"

#include "core/io/byte_source.h"
#include "core/model/natural_order.h"
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
}

// Of what lies on a hub without the commit that the hub named, which is longer than the name.
QString Document::title() const {
    static const QRegularExpression commit(QStringLiteral("@[0-9a-f]{40}(?=:|$)"));
    const QString title = QFileInfo(QDir::cleanPath(m_path)).fileName();
    const bool isRemote = m_path.startsWith(QStringLiteral("hf:")) || m_path.startsWith(QStringLiteral("ms:"));
    return isRemote ? QString(title).remove(commit) : title;
}

void Document::addStatistics(std::span<const TensorResult> results) {
    for (const TensorResult& result : results) {
        if (!m_contents.stats[result.tensor]) ++m_computed;
        m_contents.stats[result.tensor] = result.stats;
    }
    if (!results.empty()) emit statisticsChanged();
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
