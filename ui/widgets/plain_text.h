// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {

// Text that comes from a file, for places where Qt guesses whether it is rich text (tool tips): never read as markup.
QString plainText(const QString& text);

} // namespace wb::ui
