// SPDX-License-Identifier: MIT
#include "core/base/progress.h"

namespace wb {

Error canceled() { return makeError(ErrorCode::Canceled, Reason("base.cancelled"), WB_TEXT("Canceled.")); }

Result<void> Progress::at(std::uint64_t done, std::uint64_t total) const {
    if (stop.stop_requested()) return std::unexpected(canceled());
    if (report) report(done, total);
    return {};
}

} // namespace wb
