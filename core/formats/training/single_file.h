// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

namespace wb::training {

// The anatomy of a training checkpoint that is one file: of Lightning (Lightning-AI/pytorch-lightning:
// src/lightning/pytorch/trainer/connectors/checkpoint_connector.py), a dictionary of PyTorch with the state of an optimizer, alone
// or next to the weights, or arrays of Keras or Flax (array_file.h). Empty for any other model.
std::optional<Checkpoint> describeFile(const Model& model);

} // namespace wb::training
