// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

#include <optional>

namespace wb::ui {

// How well `pattern` fits `text`, larger is better; empty if it does not. Every word of the pattern must occur in the text with its
// letters in order, not necessarily side by side; case does not matter. Letters side by side and at the beginning of a word count
// most. An empty pattern fits everything with 0. Time is linear in the text for each word.
std::optional<int> fuzzyScore(QStringView text, QStringView pattern);

} // namespace wb::ui
