// SPDX-License-Identifier: MIT
#include "ui/shell/services/work_settings.h"

#include <utility>

namespace wb::ui {

void WorkSettings::set(const WorkChoices& choices) {
    if (std::exchange(m_choices, choices) != choices) emit changed();
}

} // namespace wb::ui
