// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"

#include <span>

namespace wb::memory {

// The best placement of a model's layers: on one or several GPUs of different sizes and in RAM.
struct Placement {
    Settings settings;          // those that were given, with layers, their split and the experts in RAM filled in
    std::vector<Fit> devices;   // what each GPU has to hold, in their order
    std::optional<Fit> main;    // the same of RAM, if given
    std::uint64_t fromMain = 0; // bytes that one token reads there
    std::optional<std::uint64_t> tokensPerSecond; // bound: every relevant bandwidth is given

    bool fits() const; // every device holds its share
};

// As many layers on the GPUs as they hold, with experts left to the CPU before whole layers; of the ways that fit
// the one whose tokens read least from RAM, then the fastest. Layers are split as llama.cpp does: blocks in their order,
// the output last. Where nothing fits, everything on the CPU. `gpus` must not be empty.
Placement bestPlacement(const Subject& subject, const Weights& weights, const Settings& settings, std::span<const Memory> gpus,
                        const Memory* main);

// What these settings put on each device. `gpus` are as many as settings.devices().
Placement planPlacement(const Subject& subject, const Weights& weights, const Settings& settings, std::span<const Memory> gpus,
                        const Memory* main);

// llama.cpp's own split where none is requested: in proportion to the free memory.
std::vector<std::uint64_t> usualSplit(std::uint64_t layers, std::span<const Memory> gpus);

// The type that is recommended for a memory (quant::adviseType), by the published divergences without an importance matrix.
struct TypeChoice {
    const WeightType* type = nullptr;
    double divergence = 0;
    std::uint64_t need = 0;
};
std::optional<TypeChoice> typeFor(const Subject& subject, std::span<const TypedWeights> types, const Settings& settings,
                                  const Memory& memory);

// One, two or four cards of a kind that contain a whole model together.
struct CardChoice {
    const Card* card = nullptr;
    std::uint64_t count = 1;
    std::uint64_t need = 0; // of the card that has to hold most
    std::optional<std::uint64_t> tokensPerSecond;
};

// For each count the smallest cards that contain the model with these settings, one of each size, at most `most` of them.
std::vector<CardChoice> cardsFor(const Subject& subject, const Weights& weights, const Settings& settings, std::size_t most = 4);

// The same for a training run; more than one card only where ZeRO shares something. QLoRA needs cards of NVIDIA (bitsandbytes).
std::vector<CardChoice> cardsFor(const Subject& subject, const TrainingSettings& settings, std::size_t most = 4);

} // namespace wb::memory
