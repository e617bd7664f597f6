// SPDX-License-Identifier: MIT
#include "core/formats/skops/skops.h"

#include <array>

namespace wb::skops {
namespace {

constexpr formats::Tasks taskNames{"skops.index", "skops.unpack"};

} // namespace

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::skops
