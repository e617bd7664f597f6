// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <functional>

namespace wb::test {

// The readable statistics with a count of the calls, and a hook that sees each call before it is answered.
class FakeBackend : public stats::Backend {
public:
    const char* name() const override { return "fake"; }

    Result<stats::TensorStats> compute(const TensorReader& reader, const stats::Options& options,
                                       const Progress& progress) override {
        ++calls;
        if (beforeEach) beforeEach();
        WB_TRY(progress.at(1, 2));
        return stats::computeScalar(reader, options);
    }

    int calls = 0;
    std::function<void()> beforeEach;
};

} // namespace wb::test
