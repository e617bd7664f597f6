// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Adds what transformers' Trainer and accelerate keep next to the weights (huggingface/transformers: src/transformers/trainer.py,
// trainer_callback.py; huggingface/accelerate: src/accelerate/utils/constants.py): the tensors of the optimizer and of random
// generators as "optimizer.<name>" and "rng_state.<name>", and Model::checkpoint. Nothing where the folder is no checkpoint. A file
// that cannot be read is a problem.
Result<void> addTrainingState(Model& model, const std::filesystem::path& folder, const Listing& listing,
                              const formats::OpenOptions& options);

} // namespace wb::huggingface
