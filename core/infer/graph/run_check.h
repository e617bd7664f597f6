// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/infer/engine_options.h"
#include "core/infer/graph/graph.h"
#include "core/memory/cards/badge.h"

#include <filesystem>

// Whether this program runs a model on this computer, known from headers alone: the same steps as loading it for Chat.
namespace wb::infer {

// Opens a model as it must be to run: whole, by strict opening, and with a graph. The errors are those of formats::open (strict)
// and planGraph(). `options` says all but the strictness.
Result<Graph> openToRun(const std::filesystem::path& path, formats::OpenOptions options);

// The longest context that these bytes of RAM hold: that of the options, else the first of its halves that fits, at least
// 256 positions; 0: none, or nothing can be planned. `gpuLayers` as for planMainMemory().
std::size_t fittingContext(const Graph& graph, EngineOptions options, std::uint64_t freeMemory, std::uint64_t gpuLayers);

struct RunCheck {
    std::optional<Error> refusal;     // damaged, incomplete or not supported: the sentence that Chat shows
    bool fitsMemory = false;          // with the usual context or a shorter one, on the CPU or a GPU
    std::optional<memory::Badge> fit; // of memory alone, with the usual context; empty: it cannot be counted

    bool runs() const { return !refusal && fitsMemory; }
};

// `memories` are those of this computer, RAM first (memory::memoriesHere). Only a stop is an error.
Result<RunCheck> checkRun(const std::filesystem::path& path, std::span<const memory::Memory> memories, const std::stop_token& stop);

// The same of a model that is open already, whose file is not opened again: a remote one, say. Its damage is what it was opened
// with.
RunCheck checkRunnable(const ModelPtr& model, std::span<const memory::Memory> memories);

} // namespace wb::infer
