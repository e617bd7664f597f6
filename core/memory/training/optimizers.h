// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/training/trainable.h"

#include <span>

namespace wb::memory {

// An optimizer and the states that it keeps (docs/reference/memory.md, "Optimizer states").
struct Optimizer {
    // How the states follow from the trained matrices.
    enum class Law : std::uint8_t {
        PerParameter, // this many bytes each
        Blockwise8,   // 8-bit states with a scale for every 256, small tensors stay in 32 bits
        Factored,     // Adafactor: one number a row and a column
        Muon,         // one state for hidden matrices, AdamW's two for all else
        GaLore        // AdamW's states in a space of a lower rank
    };

    const char* name; // as typed: "adamw"
    Law law;
    double stateBytes;        // of one parameter; see optimizers.cpp for the base of the sum
    bool keepsMaster;         // a 32-bit copy of weights that train in 16 bits
    bool isPaged;             // its states may leave the device while they are not used
    const char* transformers; // the name that transformers, LLaMA-Factory and Axolotl know; null: they have none
};

std::span<const Optimizer> optimizers();

// By its name here or in transformers; '-' and '_' are the same, upper and lower case too. Null if none exists.
const Optimizer* optimizerFromName(std::string_view name);

// Bytes of the states, without the copy of the weights. `rank` is that of GaLore's space.
std::uint64_t stateBytes(const Optimizer& optimizer, const Trainable& trainable, std::uint64_t rank);

} // namespace wb::memory
