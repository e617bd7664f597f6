// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "ui/browse/browse_network.h"

namespace wb::ui::browse {

// Opens the GGUF or safetensors file that "hf:owner/model@commit:file" names by its header, and lets some of its data be read by
// ranges for a look at tensors. The model asks the hub as long as it lives. For a worker; the network's transport() must do for any
// thread. Errors as hub::Client's, Unsupported where the file is of another format.
Result<ModelPtr> openRemote(const BrowseNetwork& network, const std::string& id, const Progress& progress);

} // namespace wb::ui::browse
