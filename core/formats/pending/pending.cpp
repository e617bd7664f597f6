// SPDX-License-Identifier: MIT
// Stands in for the readers of this folder that are not in the tree yet, so that programs link.
#include "core/formats/huggingface/huggingface.h"
#include "core/formats/safetensors/safetensors.h"

namespace wb {
namespace {

std::unexpected<Error> later(const std::filesystem::path& path) {
    return fail(ErrorCode::Unsupported, WB_TEXT("{} is in a format that this build does not read yet."), io::pathText(path.filename()));
}

} // namespace

namespace safetensors {
bool sniff(std::span<const std::byte>, std::uint64_t) { return false; }
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions&) { return later(path); }
Result<ModelPtr> openIndex(const std::filesystem::path& path, const formats::OpenOptions&) { return later(path); }
} // namespace safetensors

namespace huggingface {
Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions&) { return later(folder); }
} // namespace huggingface

} // namespace wb
