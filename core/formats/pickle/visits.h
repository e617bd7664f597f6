// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"

namespace wb::pickle {

// Keeps a walk over a graph short. Containers may contain themselves, their parent, or one child many times: a few hundred bytes
// can describe more paths than any program could list.
//
// A container on the current path is a reference, and so is one that was listed before and leads back to the path it was found on.
// Any other container that is used in several places may be walked again, as long as all repetitions together take at most
// `maxRepeatedSteps` steps. Not thread-safe.
class Visits {
public:
    static constexpr std::uint64_t maxRepeatedSteps = 100'000;
    static constexpr std::uint64_t maxSteps = 20'000'000;
    static constexpr std::size_t maxPath = 256; // containers within each other; a walk uses the stack of its thread

    explicit Visits(const Graph& graph) : m_isFinished(graph.size()) {}

    // Counts one node of the walk. False if the walk must not descend further here.
    bool step();
    bool isExhausted() const { return m_steps > maxSteps || (m_repeating > 0 && m_repeatedSteps > maxRepeatedSteps); }

    // The name under which a container is or will be listed, if walking it again would not end or would list its content twice;
    // null if it may be walked.
    const std::string* reference(NodeId container);

    // Starts a container, which must not be a reference. False, and nothing starts, after too many repetitions or at
    // the end of the longest path.
    bool enter(NodeId container, const std::string& name);

    // Ends the container that was entered last.
    void leave();

private:
    struct Place {
        NodeId node;
        std::string name;
        bool isRepeated = false;
        bool isInCycle = false; // contains a reference to itself or to a container above it
    };

    std::vector<Place> m_path;
    std::vector<bool> m_isFinished;                            // by node
    std::unordered_map<NodeId, std::string> m_finishedInCycle; // with the name of each
    std::uint64_t m_steps = 0;
    std::uint64_t m_repeatedSteps = 0;
    std::uint32_t m_repeating = 0; // places of m_path that are repeated
};

} // namespace wb::pickle
