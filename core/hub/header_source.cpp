// SPDX-License-Identifier: MIT
#include "core/hub/header_source.h"

#include "core/hub/answers.h"
#include "core/hub/file_name.h"
#include "core/hub/resolve.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::hub {
namespace {

constexpr std::array<std::uint64_t, HeaderSource::maxRequests> steps = {2u << 20, 8u << 20, 20u << 20};
constexpr unsigned maxHeaderRedirects = 5;
constexpr int partialContent = 206;

std::unexpected<Error> otherBytes(const std::string& name) {
    return fail(ErrorCode::NotReadable, Reason("hub.bad_range"), About{name},
                WB_TEXT("{} returned something other than requested; try again later, or download it first."), name);
}

} // namespace

HeaderSource::HeaderSource(Client& client, Hub hub, net::Url url, const RemoteFile& file, const Progress& progress)
    : m_client(client), m_hub(hub), m_url(std::move(url)), m_name(shownName(file.path.substr(file.path.rfind('/') + 1))),
      m_size(file.bytes), m_progress(progress) {}

Result<std::shared_ptr<HeaderSource>> HeaderSource::open(Client& client, const Repository& repository, const RemoteFile& file,
                                                         const Progress& progress) {
    WB_TRY_ASSIGN(Resolved resolved, resolveFile(client, repository, file.path, progress));
    const std::string name = shownName(file.path);
    if (resolved.bytes && *resolved.bytes != file.bytes)
        return fail(ErrorCode::Malformed, Reason("hub.size_differs"), About{name},
                    WB_TEXT("{} has a different size than listed; reload the page."), name);
    return std::shared_ptr<HeaderSource>(new HeaderSource(client, repository.hub, std::move(resolved.url), file, progress));
}

unsigned HeaderSource::requests() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

Result<void> HeaderSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    const auto extent = io::Extent::make(m_size, offset, out.size());
    if (!extent)
        return fail(ErrorCode::Malformed, Reason("hub.beyond_end"), About{m_name},
                    WB_TEXT("{} ends before the data described in its header; it is corrupted."), m_name);
    const std::lock_guard lock(m_mutex);
    if (m_allowance && extent->end() > m_bytes.size()) return readData(offset, out);
    while (m_bytes.size() < extent->end()) WB_TRY(grow());
    if (!out.empty()) std::memcpy(out.data(), m_bytes.data() + offset, out.size());
    return {};
}

Result<net::Answer> HeaderSource::ask(std::uint64_t begin, std::uint64_t end) const {
    const Source& source = m_client.settings().source(m_hub);
    net::Url url = m_url;
    net::FetchLimits limits;
    limits.bodyBytes = end - begin;
    for (unsigned hop = 0;; ++hop) {
        net::Request request;
        request.url = url;
        request.headers = headersFor(source, url.isSameOrigin(source.endpoint));
        request.headers.add("Range", fmt::format("bytes={}-{}", begin, end - 1));
        WB_TRY_ASSIGN(net::Answer answer, m_client.ask(source, std::move(request), limits, m_progress));
        if (!answer.isRedirect() || hop == maxHeaderRedirects) return answer;
        const auto target = net::resolveReference(url, *answer.head.headers.find("Location"));
        if (!target || !isAllowedTarget(m_client.settings(), url, *target)) return answer;
        url = *target;
    }
}

Result<void> HeaderSource::grow() const {
    if (m_requests == maxRequests)
        return fail(ErrorCode::TooLarge, Reason("hub.long_header"), About{m_name},
                    WB_TEXT("The header of {} is too long to read from the hub; download the file first."), m_name);
    const std::uint64_t begin = m_bytes.size();
    const std::uint64_t end = begin + std::min(steps[m_requests], m_size - begin);
    ++m_requests;
    WB_TRY_ASSIGN(const std::string bytes, fetch(begin, end));
    m_bytes += bytes;
    return {};
}

Result<std::string> HeaderSource::fetch(std::uint64_t begin, std::uint64_t end) const {
    WB_TRY_ASSIGN(net::Answer answer, ask(begin, end));
    const Source& source = m_client.settings().source(m_hub);
    if (!answer.isSuccess()) return std::unexpected(answerError(answer, source, nullptr, m_name));
    const std::string* text = answer.head.headers.find("Content-Range");
    const auto range = text ? net::parseContentRange(*text) : std::nullopt;
    const bool isPart = range && range->begin == begin && range->end == end && (!range->total || *range->total == m_size);
    const bool isWhole = !range && answer.head.status != partialContent && begin == 0 && end == m_size;
    if ((!isPart && !isWhole) || answer.body.size() != end - begin) return otherBytes(m_name);
    return std::move(answer.body);
}

bool HeaderSource::Allowance::take(std::uint64_t bytes) {
    const std::lock_guard lock(m_mutex);
    if (bytes > m_left) return false;
    m_left -= bytes;
    return true;
}

void HeaderSource::allowData(std::shared_ptr<Allowance> allowance) {
    const std::lock_guard lock(m_mutex);
    m_allowance = std::move(allowance);
}

// Rows are read one after another, so that a whole block comes at once.
Result<void> HeaderSource::readData(std::uint64_t offset, std::span<std::byte> out) const {
    constexpr std::uint64_t blockBytes = 4u << 20;
    const std::uint64_t end = offset + out.size();
    if (offset < m_blockAt || end > m_blockAt + m_block.size()) {
        const std::uint64_t last = std::min(m_size, std::max(end, offset + blockBytes));
        if (!m_allowance->take(last - offset))
            return fail(ErrorCode::TooLarge, Reason("hub.remote_limit"), About{m_name},
                        WB_TEXT("{} is on a hub; the preview limit is reached. Download it to see the rest."), m_name);
        WB_TRY_ASSIGN(m_block, fetch(offset, last));
        m_blockAt = offset;
    }
    if (!out.empty()) std::memcpy(out.data(), m_block.data() + (offset - m_blockAt), out.size());
    return {};
}

} // namespace wb::hub
