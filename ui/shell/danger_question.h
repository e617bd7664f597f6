// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace wb::ui {

// Whether the model at `path` may be used for more than looking at it. Where loading it with the programs that it was made for
// would run code that is dangerous or not known (level C or D of wb scan), the user is asked first; this program runs none of it.
// Files that cannot run anything (GGUF, safetensors) are not scanned. False, too, where `asker` is deleted meanwhile; see askFrom.
bool mayUseModel(QWidget* asker, const QString& path);

} // namespace wb::ui
