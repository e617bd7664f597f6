// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/load_plan.h"
#include "core/infer/memory_plan.h"

#include <memory>

namespace wb::chat {

// The one way from an opened model to a running one, for the window and for wb: place it, plan its memory, load it.
class ModelLoad {
public:
    // A context of 0 in the options: the usual one, or the longest that memory is free for. A null backend: the CPU.
    ModelLoad(infer::Graph graph, infer::EngineOptions options, std::shared_ptr<infer::Backend> backend);

    // Reads no weights. TooLarge if the memory is not free (checkFits) or the context is longer than the model's (infer.context).
    // `released` bytes of RAM become free before it loads.
    Result<LoadPlan> plan(std::uint64_t released = 0);

    // As it was planned; plan() comes first.
    Result<std::unique_ptr<infer::Engine>> load(const Progress& progress) const;

    // Records what the load has claimed, for later estimates. The errors are those of infer::rememberLoad.
    Result<void> remember(const infer::LoadStore& store, const infer::Engine& engine) const;

    const infer::Graph& graph() const { return m_graph; }
    const infer::Placement& placement() const { return m_placement; }

private:
    Result<LoadPlan> planWith(std::size_t context, std::optional<std::uint64_t> freeMemory);

    infer::Graph m_graph;
    infer::EngineOptions m_options;
    std::shared_ptr<infer::Backend> m_backend;
    infer::Placement m_placement;
};

} // namespace wb::chat
