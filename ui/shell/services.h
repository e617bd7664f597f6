// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"
#include "ui/shell/services/job_runner.h"
#include "ui/shell/services/open_models.h"
#include "ui/shell/services/work_settings.h"

#include <QString>

#include <functional>
#include <memory>

namespace wb::stats {
class Backend;
class MapBackend;
} // namespace wb::stats
namespace wb::quant {
class Backend;
}
namespace wb::chat {
class ConversationStore;
}

namespace wb::ui {

class Devices;
class LocalModels;
struct HubNetwork;
struct LibraryPlaces;

// Everything a tab may use that it does not own. app/window fills it once, before the first tab is made; it stays as it is as long
// as any tab exists, and so does all that it points to.
//
// A new tab or panel: its constructor takes `const Services&` and keeps the reference; nothing is set on it afterwards. It reads
// the members that it needs and no others. A missing one becomes a member here, an interface in ui/shell/services/, and a line of
// Program::makeServices() in app/window. Tests set the members that matter to them (tests/gui/support/test_services.h).
//
// Threads: unless its own header says otherwise, a member belongs to the GUI thread. A job takes values, as
// `threads = m_services.settings->threads()`, or the pointers and functions that are for workers; never `m_services` itself.
struct Services {
    JobRunner* jobs = nullptr;
    const WorkSettings* settings = nullptr;   // never null
    OpenModels* openModels = nullptr;         // never null
    QString stateFolder = {};                 // for state saved between starts, whatever the settings say; may not exist yet
    std::function<QString()> openFolder = {}; // where the open dialogs start; empty: where the system has them start

    // Computing. All follow the device of the settings.
    stats::Backend* statistics = nullptr; // for workers; null: there are no statistics
    stats::MapBackend* maps = nullptr;    // for workers; null: there are no heat maps
    // Who quantizes; may load Vulkan and is called on a worker thread. Empty: the CPU.
    std::function<std::shared_ptr<quant::Backend>()> quantizer = {};
    const Devices* devices = nullptr; // null: there is the CPU alone, and nothing to choose

    // Models elsewhere.
    const HubNetwork* hubs = nullptr;       // null: there is no network and no Browse tab
    const LibraryPlaces* library = nullptr; // null: there is no Library tab
    LocalModels* localModels = nullptr;     // that the Library tab lists; null: none are known
    // Opens the content on a hub ("hf:owner/model@commit:file.gguf") by its header; called on a worker. Empty: there is no network.
    std::function<Result<ModelPtr>(const std::string& id, const Progress& progress)> openRemote = {};

    // Opens the store of conversations; on the thread that uses it. Empty: conversations last as long as the program.
    std::function<Result<std::unique_ptr<wb::chat::ConversationStore>>()> openConversations = {};

    // Where open dialogs start.
    QString folderToOpenFrom() const { return openFolder ? openFolder() : QString(); }
};

} // namespace wb::ui
