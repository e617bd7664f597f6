// SPDX-License-Identifier: MIT
#include "ui/shell/palette/fuzzy.h"

#include <QList>

#include <algorithm>

namespace wb::ui {
namespace {

constexpr int sideBySide = 8;
constexpr int wordStart = 10;
constexpr int wholeWord = 30; // the pattern is in the text as it is

bool startsWord(QStringView text, qsizetype i) {
    return i == 0 || !text[i - 1].isLetterOrNumber() || (text[i].isUpper() && text[i - 1].isLower());
}

std::optional<int> scoreInOrder(QStringView text, QStringView word) {
    int score = 0;
    qsizetype at = 0;
    qsizetype previous = -2;
    for (const QChar letter : word) {
        const qsizetype found = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (found < 0) return std::nullopt;
        score += 1 + (found == previous + 1 ? sideBySide : 0) + (startsWord(text, found) ? wordStart : 0);
        previous = found;
        at = found + 1;
    }
    return score;
}

std::optional<int> scoreWord(QStringView text, QStringView word) {
    const qsizetype whole = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (whole < 0) return scoreInOrder(text, word);
    const auto length = static_cast<int>(word.size());
    return wholeWord + length * sideBySide + (startsWord(text, whole) ? wordStart * 2 : 0);
}

} // namespace

std::optional<int> fuzzyScore(QStringView text, QStringView pattern) {
    const auto words = pattern.split(u' ', Qt::SkipEmptyParts);
    int score = 0;
    for (const QStringView word : words) {
        const std::optional<int> one = scoreWord(text, word);
        if (!one) return std::nullopt;
        score += *one;
    }
    return words.isEmpty() ? 0 : score * 4 - static_cast<int>(std::min<qsizetype>(text.size(), 200)) / 4;
}

std::optional<int> wordScore(QStringView words, QStringView pattern) {
    const auto wanted = pattern.split(u' ', Qt::SkipEmptyParts);
    const auto begins = [&](QStringView word) {
        for (qsizetype at = words.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = words.indexOf(word, at + 1, Qt::CaseInsensitive))
            if (startsWord(words, at)) return true;
        return false;
    };
    if (words.isEmpty() || wanted.isEmpty() || !std::ranges::all_of(wanted, begins)) return std::nullopt;
    return wholeWord * static_cast<int>(wanted.size());
}

} // namespace wb::ui
