// SPDX-License-Identifier: MIT
#include "core/formats/skops/skops.h"

#include <array>

namespace wb::skops {
namespace {

constexpr formats::Tasks taskNames{"skops.index", "skops.unpack"};

Result<std::vector<std::byte>> runIndex(const worker::TaskInput& input) { return formats::runIndexTask(input, readIndex); }
Result<std::vector<std::byte>> runUnpack(const worker::TaskInput& input) { return formats::runUnpackTask(input, unpack); }

} // namespace

std::span<const worker::Task> tasks() {
    static constexpr std::array all = {worker::Task{taskNames.index, runIndex}, worker::Task{taskNames.unpack, runUnpack}};
    return all;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::skops
