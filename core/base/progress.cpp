// SPDX-License-Identifier: MIT
#include "core/base/progress.h"

namespace wb {

Error cancelled() { return makeError(ErrorCode::Cancelled, Reason("base.cancelled"), WB_TEXT("Canceled.")); }

Result<void> Progress::at(std::uint64_t done, std::uint64_t total) const {
    if (stop.stop_requested()) return std::unexpected(cancelled());
    if (report) report(done, total);
    return {};
}

} // namespace wb
