// SPDX-License-Identifier: MIT
#include "core/formats/skops/skops.h"

#include <array>

namespace wb::skops {
namespace {

constexpr formats::Tasks taskNames{"skops.index", "skops.unpack"};

} // namespace

std::span<const worker::WorkerTask> tasks() {
    static constexpr std::array all = {worker::WorkerTask{taskNames.index, formats::indexTask<readIndex>},
                                       worker::WorkerTask{taskNames.unpack, formats::unpackTask<unpack>}};
    return all;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::skops
