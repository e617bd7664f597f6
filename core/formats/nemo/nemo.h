// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/io/byte_source.h"
#include "core/model/model.h"

// Archives of NVIDIA NeMo, .nemo (NVIDIA/NeMo: nemo/core/connectors/save_restore_connector.py; docs/reference/formats.md, "NeMo"):
// a tar archive of model_config.yaml, model_weights.ckpt, which torch.save wrote, and files of the tokenizer.
namespace wb::nemo {

// Whether these are the names of members of such an archive.
bool isArchive(const std::vector<std::string>& members);

// The members that matter.
struct Archive {
    io::Extent weights;          // in the archive
    std::optional<Value> config; // empty where it could not be read, which is a problem
};

// Refuses archives without weights (Malformed), of several ranks and with a distributed checkpoint (Unsupported).
Result<Archive> readArchive(const io::ByteSource& source, const formats::OpenOptions& options, formats::Findings& findings);

// The tensors of the weights, at their places in the archive. The configuration is metadata, its `target` the architecture. The
// format is that of the weights.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

} // namespace wb::nemo
