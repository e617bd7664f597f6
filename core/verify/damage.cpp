// SPDX-License-Identifier: MIT
#include "core/verify/damage.h"

#include "core/formats/open.h"

namespace wb::verify {

bool isDamage(const Error& error) { return error.code != ErrorCode::Canceled && error.code != ErrorCode::Unsupported; }

std::optional<Error> findDamage(const std::filesystem::path& path, const std::stop_token& stop) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.threads = 1; // the caller opens many models at once
    options.progress.stop = stop;
    auto model = formats::open(path, options);
    if (model || !isDamage(model.error()) || model.error().code == ErrorCode::Unknown) return std::nullopt;
    return std::move(model).error();
}

} // namespace wb::verify
