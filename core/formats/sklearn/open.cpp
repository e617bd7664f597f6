// SPDX-License-Identifier: MIT
#include "core/formats/sklearn/sklearn.h"

#include <array>

namespace wb::sklearn {
namespace {

constexpr formats::Tasks taskNames{"sklearn.index", "sklearn.unpack"};

} // namespace

std::span<const worker::Task> tasks() {
    static constexpr std::array all = {worker::Task{taskNames.index, formats::indexTask<readIndex>},
                                       worker::Task{taskNames.unpack, formats::unpackTask<unpack>}};
    return all;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::sklearn
