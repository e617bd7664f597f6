// SPDX-License-Identifier: MIT
#include "core/formats/index/derived.h"

#include <algorithm>
#include <cstring>

namespace wb::formats {
namespace {

constexpr std::uint64_t windowBytes = 32 << 20;

std::unexpected<Error> endsEarly(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("formats.unpacked_end"), About{name}, WB_TEXT("{} ends before the requested data."),
                name);
}

} // namespace

Result<void> SwappedSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (offset < m_begin || offset > m_end || out.size() > m_end - offset) return m_source->readAt(offset, out);
    const std::uint64_t before = (offset - m_begin) % m_width;
    const std::uint64_t whole = (before + out.size() + m_width - 1) / m_width * m_width;
    std::vector<std::byte> numbers(std::min(whole, m_end - (offset - before)));
    WB_TRY(m_source->readAt(offset - before, numbers));
    for (std::size_t i = 0; i + m_width <= numbers.size(); i += m_width)
        std::ranges::reverse(std::span(numbers).subspan(i, m_width));
    if (!out.empty()) std::memcpy(out.data(), numbers.data() + before, out.size());
    return {};
}

JoinedSource::JoinedSource(Sources parts) : m_parts(std::move(parts)) {
    std::uint64_t end = 0;
    for (const auto& part : m_parts) {
        end += part->size(); // of files on a disk, so that no sum is too large
        m_ends.push_back(end);
    }
}

Result<void> JoinedSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!io::Extent::make(size(), offset, out.size())) return endsEarly(name());
    auto part = static_cast<std::size_t>(std::ranges::upper_bound(m_ends, offset) - m_ends.begin());
    while (!out.empty()) {
        const std::uint64_t begin = m_ends[part] - m_parts[part]->size();
        const std::uint64_t run = std::min<std::uint64_t>(out.size(), m_ends[part] - offset);
        if (run != 0) WB_TRY(m_parts[part]->readAt(offset - begin, out.first(run)));
        out = out.subspan(run);
        offset += run;
        ++part;
    }
    return {};
}

Result<void> JoinedSource::checkUnchanged() const {
    for (const auto& part : m_parts) WB_TRY(part->checkUnchanged());
    return {};
}

Result<void> UnpackedSource::loadWindow(std::uint64_t offset) const {
    const std::uint64_t begin = offset / windowBytes * windowBytes;
    const std::uint64_t length = std::min(windowBytes, m_bytes - begin);
    worker::WireWriter request;
    request.bytes(m_spec);
    request.u64(begin);
    request.u64(length);
    WB_TRY_ASSIGN(auto bytes, worker::run({m_task, m_packed->name(), request.take(), {m_packed}, windowBytes + 64}, {}));
    if (bytes.size() != length) return endsEarly(m_name);
    m_window = std::move(bytes);
    m_windowBegin = begin;
    return {};
}

Result<void> UnpackedSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!io::Extent::make(m_bytes, offset, out.size())) return endsEarly(m_name);
    const std::lock_guard lock(m_mutex);
    while (!out.empty()) {
        const bool isLoaded = offset >= m_windowBegin && offset - m_windowBegin < m_window.size();
        if (!isLoaded) WB_TRY(loadWindow(offset));
        const std::uint64_t at = offset - m_windowBegin;
        const std::uint64_t run = std::min<std::uint64_t>(out.size(), m_window.size() - at);
        std::memcpy(out.data(), m_window.data() + at, run);
        out = out.subspan(run);
        offset += run;
    }
    return {};
}

Result<void> UnpackedHere::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!m_unpack || !io::Extent::make(m_bytes, offset, out.size())) return endsEarly(m_name);
    return m_unpack(*m_packed, m_spec, offset, out);
}

std::shared_ptr<io::ByteSource> makeUnpacked(const char* task, std::shared_ptr<const io::ByteSource> packed, std::string name,
                                             std::vector<std::byte> spec, std::uint64_t bytes) {
    return std::make_shared<UnpackedSource>(task, std::move(packed), std::move(name), std::move(spec), bytes);
}

Result<std::vector<std::byte>> runUnpackTask(const worker::TaskInput& input, Unpack unpack) {
    worker::WireReader in(input.request);
    const auto spec = in.bytes();
    const std::uint64_t offset = in.u64();
    const std::uint64_t length = in.u64();
    if (!in.good() || input.sources.size() != 1 || length > windowBytes) return endsEarly("#");
    std::vector<std::byte> out(length);
    WB_TRY(unpack(*input.sources[0], spec, offset, out));
    return out;
}

} // namespace wb::formats
