// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

#include <optional>

namespace wb::ui {

// How well `pattern` fits `text`, larger is better; empty if it does not. Every word of the pattern must occur in the text with its
// letters in order, not necessarily side by side; case does not matter. Letters side by side and at the beginning of a word count
// most. An empty pattern fits everything with 0. Time is linear in the text for each word.
std::optional<int> fuzzyScore(QStringView text, QStringView pattern);

// The same for a list of words, in which each word of the pattern must be the beginning of a word. It fits less well than a name
// that has the word. An empty list fits nothing.
std::optional<int> wordScore(QStringView words, QStringView pattern);

} // namespace wb::ui
