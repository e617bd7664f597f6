// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/machine.h"

#include <functional>

// The arrays that joblib writes into the middle of a pickle: their bytes follow the BUILD of a NumpyArrayWrapper
// (joblib/joblib: joblib/numpy_pickle.py). The reader and the scan pass over them by this one rule: a scan that continued at
// another byte than the loader does would judge other opcodes than those that run.
namespace wb::sklearn {

struct InlineArray {
    enum class Kind : std::uint8_t {
        None,    // `object` is not such a array, and nothing follows
        Values,  // `values` follow, behind some padding
        Objects, // a pickle follows
        Unknown  // the bytes that a loader would read there are unknown
    };
    Kind kind = Kind::None;
    io::Extent values;
    std::uint64_t passed = 0; // with the padding: where the pickle continues, counted from `position`
};

// What is at `position`, where `object` has just been given its state.
InlineArray inlineArray(const pickle::Graph& graph, pickle::NodeId object, std::uint64_t position, const io::ByteSource& source);

} // namespace wb::sklearn
