// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wb::worker {

// Writes the numbers and texts of a message: fixed little-endian widths, texts with their length in front.
class WireWriter {
public:
    void u8(std::uint8_t value) { m_bytes.push_back(std::byte{value}); }
    void u32(std::uint32_t value) { number(value, 4); }
    void u64(std::uint64_t value) { number(value, 8); }
    void f64(double value);
    void flag(bool value) { u8(value ? 1 : 0); }
    void text(std::string_view value);
    void bytes(std::span<const std::byte> value);
    void error(const Error& value);

    std::vector<std::byte> take() { return std::move(m_bytes); }
    std::size_t size() const { return m_bytes.size(); }

private:
    void number(std::uint64_t value, int width);

    std::vector<std::byte> m_bytes;
};

// Reads them again, from a process that may say anything. After the first thing that does not fit everything reads as 0 and empty
// and good() is false, so that a reader may continue to its end and ask once. Views into the message live as long as its bytes.
class WireReader {
public:
    explicit WireReader(std::span<const std::byte> bytes) : m_rest(bytes) {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    double f64();
    bool flag();
    std::string_view text();
    std::span<const std::byte> bytes();

    // A count of things that take at least `minimumBytes` each and must still follow.
    std::uint64_t count(std::uint64_t minimumBytes);

    // An error with the sentence and reason that the other side gave it; see keptSentence().
    Error error();

    bool good() const { return m_good; }
    bool atEnd() const { return m_rest.empty(); }
    void reject() { m_good = false, m_rest = {}; } // the read value is invalid

private:
    std::uint64_t number(int width);
    std::span<const std::byte> take(std::uint64_t length);

    std::span<const std::byte> m_rest;
    bool m_good = true;
};

// A sentence and a reason that another process named, for the rest of this one: Error and Problem hold pointers to text that never
// goes away. Each different one is kept once, at most 4,096 of them and 1,000 bytes each; what is more, or is no UTF-8, becomes
// "{}". A sentence that this program has too is translated like its own. Thread-safe.
const char* keptSentence(std::string_view sentence);

// worker.unnamed where the text has not the form of a reason.
Reason keptReason(std::string_view id);

} // namespace wb::worker
