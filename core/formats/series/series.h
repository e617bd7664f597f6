// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/checkpoint.h"

#include <filesystem>

// Folders of checkpoints of one training run (docs/reference/formats.md, "Series"): `checkpoint-500`, `global_step500`, `step_500`,
// `epoch_3`, numbered steps of orbax' CheckpointManager, files of PyTorch that are named so or as Lightning does
// (`epoch=3-step=500.ckpt`), and files that Keras' ModelCheckpoint named by epoch and metric.
namespace wb::series {

// The checkpoints in the folder by step (without steps by epoch), the newest last; empty if it contains none. Reads names, sizes
// and the state files of trainers, never weights.
std::vector<SeriesEntry> list(const std::filesystem::path& folder, const formats::OpenOptions& options);

} // namespace wb::series
