// SPDX-License-Identifier: MIT
#include "core/formats/lfs/pointer.h"

#include <charconv>

namespace wb::lfs {
namespace {

constexpr std::uint64_t maxSize = 1024; // the specification's own bound

// The rest of the line that starts with `key`.
std::string_view lineAfter(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + key.size());
    return text.substr(0, text.find('\n'));
}

} // namespace

std::optional<Pointer> readPointer(const io::ByteSource& source) {
    if (source.size() >= maxSize) return std::nullopt;
    std::string text(source.size(), '\0');
    if (!source.readAt(0, std::as_writable_bytes(std::span(text)))) return std::nullopt;
    if (!text.starts_with("version https://git-lfs")) return std::nullopt;
    Pointer pointer;
    const std::string_view size = lineAfter(text, "\nsize ");
    std::from_chars(size.data(), size.data() + size.size(), pointer.bytes);
    pointer.sha256 = lineAfter(text, "\noid sha256:").substr(0, 64);
    return pointer;
}

Error pointerError(const std::string& name, const Pointer& pointer) {
    return makeError(ErrorCode::Unsupported, Reason("lfs.pointer"), About{name},
                     WB_TEXT("{} is a Git LFS pointer, not the file itself ({} bytes); run \"git lfs pull\" to download it."), name,
                     pointer.bytes);
}

} // namespace wb::lfs
