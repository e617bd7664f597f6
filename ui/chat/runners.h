// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/settings/device_entry.h"

#include <functional>
#include <memory>

namespace wb::infer {
class Backend;
}

namespace wb::ui::chat {

// Who runs models, and where they can be run.
struct Runners {
    // On a device, named as in the settings; called on the GUI thread, loads nothing yet. Empty: the CPU.
    std::function<std::shared_ptr<infer::Backend>(const QString& device)> backend = {};
    DeviceLister devices = {};
};

} // namespace wb::ui::chat
