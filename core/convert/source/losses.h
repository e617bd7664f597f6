// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/tensor/dtype.h"

#include <string_view>

namespace wb::convert {

// Values of one item or tensor that a cast could not keep, and computed values (merged, dequantized) that are not finite. Journals
// keep it as it is in memory.
struct CastLoss {
    std::uint64_t overflows = 0;  // finite before; infinite now, or NaN if the type has no infinity
    std::uint64_t underflows = 0; // became zero
    std::uint64_t notFinite = 0;  // of computed values: NaN or infinite

    CastLoss& operator+=(const CastLoss& other) {
        overflows += other.overflows;
        underflows += other.underflows;
        notFinite += other.notFinite;
        return *this;
    }

    std::string record() const; // of run::Record
    bool read(std::string_view record);
};

// The remarks about a tensor that was cast with this loss; none without one.
void addRemarks(std::vector<Problem>& remarks, const std::string& tensor, Dtype to, const CastLoss& loss);

} // namespace wb::convert
