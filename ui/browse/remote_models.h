// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "ui/shell/services/hub_network.h"

namespace wb::ui::browse {

// How much of the tensors of one opened model may be downloaded for inspection.
inline constexpr std::uint64_t lookBytes = 1u << 30;

// Opens what "hf:owner/model@commit:file" names by its header (hub::openRemoteModel) and lets some of its data be read by ranges
// for a look at tensors. The model asks the hub as long as it lives. For a worker; the network's transport() must do for any
// thread.
Result<ModelPtr> openRemote(const HubNetwork& network, const std::string& id, const Progress& progress);

} // namespace wb::ui::browse
