// SPDX-License-Identifier: MIT
#include "core/net/response_parser.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>

namespace wb::net {
namespace {

constexpr std::size_t maxHeadBytes = 64 << 10;

std::unexpected<Failure> refuse(const char* detail) { return std::unexpected(Failure{FailureKind::Protocol, detail}); }

std::string_view withoutBlanks(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

// "HTTP/1.1 200 OK"; 0: not such a line.
int statusIn(std::string_view line) {
    constexpr std::string_view version = "HTTP/1.";
    constexpr std::size_t codeAt = 9, codeDigits = 3;
    if (!line.starts_with(version) || line.size() < codeAt + codeDigits || line[codeAt - 1] != ' ') return 0;
    if (line.size() > codeAt + codeDigits && line[codeAt + codeDigits] != ' ') return 0;
    int status = 0;
    const char* const end = line.data() + codeAt + codeDigits;
    const auto [at, error] = std::from_chars(line.data() + codeAt, end, status);
    return error == std::errc() && at == end && status >= 100 ? status : 0;
}

} // namespace

std::expected<void, Failure> ResponseParser::take(std::string_view bytes, const Sink& sink) {
    while (!bytes.empty() && !isDone()) {
        const auto goesOn = step(bytes, sink);
        if (!goesOn) return std::unexpected(goesOn.error());
    }
    return {};
}

std::expected<bool, Failure> ResponseParser::step(std::string_view& bytes, const Sink& sink) {
    if (m_state == State::Sized || m_state == State::UntilClose || m_state == State::Chunk) {
        takeBody(bytes, sink);
        return true;
    }
    const auto isWhole = takeLine(bytes);
    if (!isWhole || !*isWhole) return isWhole;
    auto finished = finishLine(sink);
    m_line.clear();
    if (!finished) return std::unexpected(std::move(finished).error());
    return true;
}

// Up to the line's end, which is dropped; a lone line feed ends one, too.
std::expected<bool, Failure> ResponseParser::takeLine(std::string_view& bytes) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    m_headBytes += part.size() + 1;
    if (m_headBytes > maxHeadBytes) return refuse("the head is too large");
    m_line += part;
    bytes.remove_prefix(std::min(part.size() + 1, bytes.size()));
    if (end == std::string_view::npos) return false;
    if (m_line.ends_with('\r')) m_line.pop_back();
    return true;
}

std::expected<void, Failure> ResponseParser::finishLine(const Sink& sink) {
    switch (m_state) {
    case State::Head: return finishHeadLine(sink);
    case State::ChunkSize: return finishChunkSize();
    case State::ChunkEnd:
        if (!m_line.empty()) return refuse("a chunk is longer than announced");
        m_state = State::ChunkSize;
        m_headBytes = 0;
        return {};
    case State::Trailer:
        if (m_line.empty()) m_state = State::Done;
        return {};
    case State::Sized:
    case State::UntilClose:
    case State::Chunk:
    case State::Done: break;
    }
    return {};
}

std::expected<void, Failure> ResponseParser::finishHeadLine(const Sink& sink) {
    if (m_head.status == 0) {
        m_head.status = statusIn(m_line);
        if (m_head.status == 0) return refuse("no status line");
        return {};
    }
    if (!m_line.empty()) {
        const std::size_t colon = m_line.find(':');
        if (colon == std::string::npos || colon == 0 || m_line.front() == ' ' || m_line.front() == '\t')
            return refuse("a header line without a name");
        m_head.headers.add(m_line.substr(0, colon), std::string(withoutBlanks(std::string_view(m_line).substr(colon + 1))));
        return {};
    }
    constexpr int switchingProtocols = 101, firstFinal = 200;
    if (m_head.status == switchingProtocols) return refuse("another protocol");
    if (m_head.status < firstFinal) {
        m_head = {};
        return {};
    }
    if (auto begun = beginBody(); !begun) return begun;
    sink(std::move(m_head));
    return {};
}

// RFC 9112, 6.3.
std::expected<void, Failure> ResponseParser::beginBody() {
    constexpr int noContent = 204, notModified = 304;
    const std::string* coding = m_head.headers.find("Transfer-Encoding");
    const bool hasLength = m_head.headers.find("Content-Length") != nullptr;
    const auto length = contentLength(m_head.headers);
    if (hasLength && coding) return refuse("two lengths of one body");
    if (hasLength && !length) return refuse("Content-Length is not a number");
    if (coding && !ascii::same(*coding, "chunked")) return refuse("an unknown transfer coding");
    m_headBytes = 0;
    m_left = length.value_or(0);
    if (m_isHead || m_head.status == noContent || m_head.status == notModified) m_state = State::Done;
    else if (coding) m_state = State::ChunkSize;
    else if (hasLength) m_state = m_left > 0 ? State::Sized : State::Done;
    else m_state = State::UntilClose;
    return {};
}

std::expected<void, Failure> ResponseParser::finishChunkSize() {
    const std::string_view digits = withoutBlanks(std::string_view(m_line).substr(0, m_line.find(';')));
    constexpr int hexadecimal = 16;
    const char* const end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, m_left, hexadecimal);
    if (digits.empty() || error != std::errc() || at != end) return refuse("a chunk without its size");
    m_state = m_left > 0 ? State::Chunk : State::Trailer;
    m_headBytes = 0;
    return {};
}

void ResponseParser::takeBody(std::string_view& bytes, const Sink& sink) {
    const bool isSized = m_state != State::UntilClose;
    const std::string_view part =
        isSized ? bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), m_left))) : bytes;
    const auto* first = reinterpret_cast<const std::byte*>(part.data());
    sink(Body(first, first + part.size()));
    bytes.remove_prefix(part.size());
    if (!isSized) return;
    m_left -= part.size();
    if (m_left == 0) m_state = m_state == State::Chunk ? State::ChunkEnd : State::Done;
}

std::expected<void, Failure> ResponseParser::close() {
    if (m_state == State::UntilClose) m_state = State::Done;
    if (isDone()) return {};
    return std::unexpected(Failure{FailureKind::Reset, "the answer ended early"});
}

} // namespace wb::net
