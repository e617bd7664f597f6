// SPDX-License-Identifier: MIT
#include "ui/shell/services/local_models.h"

#include <utility>

namespace wb::ui {

void LocalModels::set(QList<LocalModel> models) {
    m_models = std::move(models);
    m_isKnown = true;
    emit changed();
}

} // namespace wb::ui
