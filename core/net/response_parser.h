// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace wb::net {

// Takes the bytes of one HTTP/1.1 answer apart (RFC 9112). Informational answers (1xx) before it are dropped. Refused are heads
// above 64 KiB, a length next to chunks, several different lengths, folded header lines, and codings other than chunked.
class ResponseParser {
public:
    // `isHead`: of a HEAD request, whose answer has no body.
    explicit ResponseParser(bool isHead) : m_isHead(isHead) {}

    using Sink = std::function<void(std::variant<Head, Body>)>;

    // Calls `sink` with the head once it is complete, then with the body in pieces. Protocol if the bytes are not such a response;
    // bytes after the end of the answer are ignored.
    std::expected<void, Failure> take(std::string_view bytes, const Sink& sink);

    // The server closed the connection: Reset where the answer needs more bytes.
    std::expected<void, Failure> close();

    bool isDone() const { return m_state == State::Done; }

private:
    enum class State { Head, Sized, UntilClose, ChunkSize, Chunk, ChunkEnd, Trailer, Done };

    std::expected<bool, Failure> step(std::string_view& bytes, const Sink& sink);
    std::expected<bool, Failure> takeLine(std::string_view& bytes);
    std::expected<void, Failure> finishLine(const Sink& sink);
    std::expected<void, Failure> finishHeadLine(const Sink& sink);
    std::expected<void, Failure> finishChunkSize();
    std::expected<void, Failure> beginBody();
    void takeBody(std::string_view& bytes, const Sink& sink);

    const bool m_isHead;
    State m_state = State::Head;
    std::string m_line;          // so far
    std::size_t m_headBytes = 0; // of all lines before the body, informational answers included, or of a trailer
    Head m_head;                 // status 0: its first line is missing
    std::uint64_t m_left = 0;    // of the sized body or the chunk
};

} // namespace wb::net
