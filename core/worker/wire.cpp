// SPDX-License-Identifier: MIT
#include "core/worker/wire.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

namespace wb::worker {
namespace {

constexpr std::uint32_t maxErrorArguments = 64;

// Texts that live as long as the program.
class KeptTexts {
public:
    // Null where there is no space left.
    const char* keep(std::string_view text) {
        constexpr std::size_t maxTexts = 4096;
        const std::scoped_lock lock(m_mutex);
        if (const auto known = m_texts.find(text); known != m_texts.end()) return known->c_str();
        return m_texts.size() < maxTexts ? m_texts.emplace(text).first->c_str() : nullptr;
    }

private:
    std::mutex m_mutex;
    std::set<std::string, std::less<>> m_texts;
};

KeptTexts& keptTexts() {
    static KeptTexts texts;
    return texts;
}

bool isReason(std::string_view id) {
    if (id.empty() || id.size() > 100 || id.front() == '.' || id.back() == '.' || id.find("..") != std::string_view::npos)
        return false;
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    };
    return id.find('.') != std::string_view::npos && std::ranges::all_of(id, isAllowed);
}

} // namespace

const char* keptSentence(std::string_view sentence) {
    constexpr std::size_t maxBytes = 1000;
    const bool isText = sentence.size() <= maxBytes && isUtf8(sentence) && sentence.find('\0') == std::string_view::npos;
    const char* kept = isText ? keptTexts().keep(sentence) : nullptr;
    return kept != nullptr ? kept : "{}";
}

Reason keptReason(std::string_view id) {
    const char* kept = isReason(id) ? keptTexts().keep(id) : nullptr;
    if (kept == nullptr) return "worker.unnamed";
    // Reason takes literals only, so that none is made up; here the other process made it of a literal and its form was
    // checked.
    static_assert(sizeof(Reason) == sizeof(const char*));
    return std::bit_cast<Reason>(kept);
}

void WireWriter::number(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) m_bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void WireWriter::f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

void WireWriter::text(std::string_view value) { bytes(std::as_bytes(std::span(value))); }

void WireWriter::bytes(std::span<const std::byte> value) {
    u64(value.size());
    m_bytes.insert(m_bytes.end(), value.begin(), value.end());
}

void WireWriter::error(const Error& value) {
    u32(static_cast<std::uint32_t>(value.code));
    text(value.reason.id());
    text(value.format);
    text(value.subject);
    text(value.detail);
    u32(static_cast<std::uint32_t>(value.arguments.size()));
    for (const std::string& argument : value.arguments) text(argument);
}

std::span<const std::byte> WireReader::take(std::uint64_t length) {
    if (length > m_rest.size()) {
        reject();
        return {};
    }
    const auto taken = m_rest.first(length);
    m_rest = m_rest.subspan(length);
    return taken;
}

std::uint64_t WireReader::number(int width) {
    const auto bytes = take(static_cast<std::uint64_t>(width));
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

double WireReader::f64() { return std::bit_cast<double>(u64()); }

bool WireReader::flag() {
    const std::uint8_t value = u8();
    if (value > 1) reject();
    return value == 1;
}

std::span<const std::byte> WireReader::bytes() { return take(u64()); }

std::string_view WireReader::text() {
    const auto taken = bytes();
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::uint64_t WireReader::count(std::uint64_t minimumBytes) {
    const std::uint64_t value = u64();
    if (value <= m_rest.size() / minimumBytes) return value;
    reject();
    return 0;
}

Error WireReader::error() {
    Error out;
    const std::uint32_t code = u32();
    if (code > static_cast<std::uint32_t>(ErrorCode::Internal)) reject();
    else out.code = static_cast<ErrorCode>(code);
    out.reason = keptReason(text());
    out.format = keptSentence(text());
    out.subject = toUtf8(text());
    out.detail = toUtf8(text());
    const std::uint32_t arguments = u32();
    if (arguments > maxErrorArguments) reject();
    for (std::uint32_t i = 0; i < arguments && m_good; ++i) out.arguments.push_back(toUtf8(text()));
    return out;
}

} // namespace wb::worker
