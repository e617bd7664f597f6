// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace wb {

// Handed into everything that can take longer than 50 ms. Copyable; `report` may be called from several threads at once and must
// be cheap (the window's bridge thins it to 30 signals a second).
struct Progress {
    std::stop_token stop;
    std::function<void(std::uint64_t done, std::uint64_t total)> report;

    // Reports and answers whether to continue: a requested stop comes back as an Error with code Canceled, so it travels with
    // WB_TRY.
    Result<void> at(std::uint64_t done, std::uint64_t total) const;
};

// The Error of a stopped job.
Error canceled();

} // namespace wb
