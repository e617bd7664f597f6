// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/hub/client.h"
#include "core/model/model.h"

namespace wb::hub {

// Opens a GGUF or safetensors file of a hub by its header alone, which at most three range requests fetch:
// "hf:owner/name[@rev]:file", "ms:…". The file may be left out where the repository has only one,
// or is a folder of safetensors with a config.json, which is opened as such a folder. Of a GGUF in parts the first one
// is named, and every part's header is read. The client, its transport and clock must outlive the call only; the values of the
// tensors cannot be read.
Result<ModelPtr> openRemoteModel(Client& client, const std::string& id, const formats::OpenOptions& options);

} // namespace wb::hub
