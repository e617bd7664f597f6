// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/palette_tensors.h"

#include "ui/widgets/numbers.h"

#include <QStringList>

#include <algorithm>

namespace wb::ui::inspect {

bool hasAllWords(const QString& candidate, const QString& wanted) {
    const QStringList words = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::ranges::all_of(words, [&](const QString& word) { return candidate.contains(word, Qt::CaseInsensitive); });
}

std::vector<std::uint32_t> findTensors(const stats::Contents& contents, const QString& wanted, int limit) {
    std::vector<std::uint32_t> found;
    if (wanted.trimmed().isEmpty()) return found;
    for (std::uint32_t i = 0; i < contents.count() && static_cast<int>(found.size()) < limit; ++i)
        if (hasAllWords(text(contents.tensor(i).name), wanted)) found.push_back(i);
    return found;
}

} // namespace wb::ui::inspect
