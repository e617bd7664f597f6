// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/cards.h"
#include "core/memory/training/training.h"

namespace wb::memory {

enum class Verdict : std::uint8_t { Fits, Tight, No };
const char* verdictName(Verdict verdict); // "fits", "tight", "no"

// A memory that a model may be put into.
struct Memory {
    std::string name;
    Side side = Side::Gpu;
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> free = {}; // now; empty: not known, everything is taken to be free
    std::uint64_t margin = 0;               // that stays free for others
    std::uint64_t bandwidth = 0;            // GB/s; 0: not known
    std::string source = {};                // of these numbers, where they are of the table of cards; empty: this computer

    std::uint64_t available() const { return free.value_or(bytes); }
    // Memory that would be free without other programs: the measured value of this card, else all but the margin, and never less
    // than is free now.
    std::uint64_t availableWhenIdle() const;
};

// Whether two names are of one device: "RTX 5060 Ti" of the table of cards, "NVIDIA GeForce RTX 5060 Ti" of a driver.
bool isSameDevice(std::string_view a, std::string_view b);

// What stays free (docs/reference/memory.md, "Totals by runtime"): more where a display may be drawn by the device.
inline constexpr std::uint64_t usualMargin = 512ull << 20;
inline constexpr std::uint64_t displayMargin = 1024ull << 20;

Memory cardMemory(const Card& card);

// fits: the need and its error leave the margin free; tight: the need less its error is there; no otherwise.
Verdict judge(std::uint64_t need, std::uint64_t error, const Memory& memory);

struct Fit {
    Memory memory;
    std::uint64_t need = 0; // of that device
    Verdict verdict = Verdict::No;
    std::optional<std::uint64_t> longestContext; // that fits, of one sequence in training; empty: not even the shortest does
};

// Whether a memory holds these bytes of one device. vLLM wants its share of the device free, and its least need below that.
Fit fitIn(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory, const DeviceBytes& bytes);

// Whether a memory contains the model alone. On a GPU it is requested all layers unless the settings already assign some.
Fit checkFit(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory);

// The same without the longest context, which is many estimates.
Fit fitNow(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory);

// Whether a memory holds the share of one GPU, or RAM what is offloaded.
Fit checkFit(const Subject& subject, const TrainingEstimate& estimate, const Memory& memory);

} // namespace wb::memory
