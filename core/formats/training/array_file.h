// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

#include <optional>

namespace wb::training {

// The anatomy of a file of Keras or Flax with the state of an optimizer as arrays next to the weights (keras-team/keras:
// keras/src/optimizers/base_optimizer.py, keras/src/legacy/saving/legacy_h5_format.py; google/flax: flax/training/train_state.py).
// Reads the numbers of single elements: the step and the learning rate. Their schedules are part of the optimizer. Empty for other
// files.
std::optional<Checkpoint> describeArrays(const Model& model);

} // namespace wb::training
