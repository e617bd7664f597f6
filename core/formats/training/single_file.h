// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

namespace wb::training {

// The anatomy of a training checkpoint that is one file of PyTorch: of Lightning (Lightning-AI/pytorch-lightning:
// src/lightning/pytorch/trainer/connectors/checkpoint_connector.py), or a dictionary with the state of an optimizer next to the
// weights. Empty for any other model.
std::optional<Checkpoint> describeFile(const Model& model);

} // namespace wb::training
