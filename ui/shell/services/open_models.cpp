// SPDX-License-Identifier: MIT
#include "ui/shell/services/open_models.h"

#include <utility>

namespace wb::ui {

void OpenModels::set(const QString& tab, const QStringList& paths) {
    if (std::exchange(m_paths[tab], paths) != paths) emit changed();
}

} // namespace wb::ui
