// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/hub/client.h"
#include "core/model/model.h"

#include <span>

// GGUF and safetensors files of a hub, opened by their headers alone, which at most three range requests a file fetch. All files
// that make one model count as one. The client, its transport and clock must outlive the model where `dataBytes` is not 0, else the
// call only; of options.progress only the stop does.
namespace wb::hub {

// `dataBytes` is how much of the tensors may be downloaded for inspection in total; 0: none can be read.
//
// The file that "hf:owner/name[@rev]:file" or "ms:…" names; of a model in parts the first one. The file may be omitted where the
// repository has only one model, or is a folder of safetensors with a config.json, which is opened as such a folder.
Result<ModelPtr> openRemoteModel(Client& client, const std::string& id, const formats::OpenOptions& options,
                                 std::uint64_t dataBytes = 0);

// The model that some files of a list are, in order: one file, the parts of a GGUF, or shards of safetensors, which a config.json
// in their folder makes a model that can be counted. `repository` is at the list's commit.
Result<ModelPtr> openListedModel(Client& client, const Repository& repository, const FileList& list,
                                 std::span<const std::size_t> files, const formats::OpenOptions& options,
                                 std::uint64_t dataBytes = 0);

} // namespace wb::hub
