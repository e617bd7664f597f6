// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/subject.h"
#include "core/memory/training/training_settings.h"

#include <vector>

namespace wb::memory {

// Matrices of one shape that a model has or that are trained; vectors have one row.
struct Matrix {
    enum class Place : std::uint8_t {
        Attention,   // projections of attention
        FeedForward, // of the feed-forward and of experts
        OtherBlock,  // routers, convolutions, recurrent parts
        Outside      // embeddings and the output
    };

    std::uint64_t rows = 1;    // outputs
    std::uint64_t columns = 0; // inputs
    std::uint64_t count = 1;   // of this shape
    Place place = Place::Outside;

    bool isVector() const { return rows == 1; }
    bool isHidden() const { return !isVector() && place != Place::Outside; }
    std::uint64_t elementsOfOne() const;
    std::uint64_t elements() const;
};

// The parameters of a model as training sees them.
struct Parameters {
    std::vector<Matrix> matrices;
    std::uint64_t linear = 0;     // of the linear layers inside the blocks, which 4- and 8-bit bases quantize
    std::uint64_t other = 0;      // embeddings, output and norms
    std::uint64_t linearRows = 0; // outputs of the linear layers together
    std::uint64_t largestBlock = 0;
    double scale = 1; // of all of these, if only a size is given and the shape is that of another model

    std::uint64_t all() const;
};

// Unsupported where the tensors of the model are not known, so that nothing could be counted.
Result<Parameters> countParameters(const Subject& subject);

// The trainable parameters of the method (docs/reference/memory.md, "Parts" and "Methods").
struct Trainable {
    std::vector<Matrix> matrices;
    double scale = 1; // as in Parameters

    std::uint64_t parameters() const;
};
Trainable trainableParameters(const Parameters& parameters, const arch::ModelSpec& spec, const TrainingSettings& settings);

} // namespace wb::memory
