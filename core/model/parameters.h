// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <string_view>

// What counts as a parameter. Model::parameters() counts the elements of the weights as a model computes with them: those that a
// packed weight decodes to instead of its codes, scales and zero points; nothing for training state and texts. Shared ones count
// once, and of several steps or checkpoints with the same names one.
namespace wb {

// Elements of all stored tensors, shared ones counted once; saturating.
std::uint64_t storedParameters(const Model& model);

// Whether tools that run, convert or estimate the model use the tensor as a weight: a stored one, or of a checkpoint with joined
// ranks a joined one; no training state of a checkpoint.
bool isWeight(const Model& model, const TensorInfo& tensor);

// Whether a tensor of this name is what a training run keeps besides the weights: the state of an optimizer, of a learning rate
// scheduler, of a random generator. Told by the words of its path, as checkpoints of PyTorch (pytorch/pytorch: torch/optim), Keras
// (keras-team/keras: keras/src/saving/saving_lib.py), TensorFlow (tensorflow/tensorflow:
// tensorflow/python/checkpoint/graph_view.py; slots of V1 optimizers) and Flax (google/flax: flax/training/train_state.py) name
// them.
bool isTrainingState(std::string_view name);

} // namespace wb
