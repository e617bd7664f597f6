// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <algorithm>
#include <set>

// Pickles and archives inside the texts and bytes of a pickle.
namespace wb::scan {
namespace {

using namespace std::string_view_literals;
using pickle::NodeId;
using pickle::NodeKind;

constexpr std::uint64_t shortest = 16;
constexpr std::uint64_t budget = 64 << 20; // bytes of payloads in one file
constexpr int deepestPayload = 8;

int base64Digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

std::optional<std::string> fromBase64(std::string_view text) {
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    bool isPadded = false;
    for (const char c : text) {
        if (c == '\n' || c == '\r') continue;
        if (c == '=') {
            isPadded = true;
            continue;
        }
        const int digit = base64Digit(c);
        if (digit < 0 || isPadded) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(bits >> count & 0xFF);
    }
    return out;
}

std::optional<std::string> fromHex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = ascii::hexValue(text[i]), low = ascii::hexValue(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high << 4 | low);
    }
    return out;
}

} // namespace

bool looksLoadable(std::string_view bytes) {
    if (bytes.size() < 4) return false;
    if (bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5) return true;
    if (bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("\x1F\x8B\x08"sv)) return true;
    const unsigned zlibHead = static_cast<unsigned char>(bytes[0]) * 256U + static_cast<unsigned char>(bytes[1]);
    if (bytes[0] == '\x78' && zlibHead % 31 == 0) return true;
    // A pickle of the first protocols that is not only data starts like this in practice.
    return (bytes[0] == 'c' || bytes[0] == '(' || bytes[0] == 'i') && bytes.ends_with('.') &&
           bytes.find('\n') != std::string_view::npos;
}

std::optional<std::string> decodedText(std::string_view text, std::uint64_t maxBytes) {
    if (text.size() < shortest || text.size() > maxBytes) return std::nullopt;
    if (auto hex = fromHex(text); hex && looksLoadable(*hex)) return hex;
    if (auto base64 = fromBase64(text); base64 && looksLoadable(*base64)) return base64;
    return std::nullopt;
}

void Examiner::examinePayload(const Item& item, std::string_view bytes, std::uint64_t position, bool isLoaded) {
    m_decoded += bytes.size();
    const auto span = std::as_bytes(std::span(bytes));
    Item payload{std::make_shared<io::MemorySource>(m_file, std::vector(span.begin(), span.end())),
                 item.member + "#bytes@" + std::to_string(position), item.depth + 1, isLoaded && item.isLoaded};
    const std::size_t files = m_danger.files.size();
    const std::size_t calls = m_danger.calls.size();
    const std::size_t findings = m_danger.findings.size();
    examine(payload);
    // Bytes that only looked like something are the data that they most likely are.
    const bool isNothing = std::ranges::all_of(
        m_danger.files.begin() + static_cast<std::ptrdiff_t>(files), m_danger.files.end(),
        [](const ScannedFile& file) { return file.isMalformed || (file.format.empty() && file.globals.empty()); });
    if (isNothing && !isLoaded) {
        m_danger.files.resize(files);
        m_danger.calls.resize(calls);
        m_danger.findings.resize(findings);
        return;
    }
    DangerLevel worst = DangerLevel::A;
    for (std::size_t i = files; i < m_danger.files.size(); ++i) worst = std::max(worst, m_danger.files[i].level);
    if (isLoaded || worst < DangerLevel::C) return;
    find(item, Severity::Warning, "pickle.payload", position,
         WB_TEXT("{} has a pickle at byte {} that would run code if loaded; nothing in this file loads it."),
         {std::to_string(position)});
}

void Examiner::examinePayloads(const Item& item, const pickle::Graph& graph, const pickle::Stream& stream) {
    if (item.depth > deepestPayload) return;
    std::set<NodeId> loaded; // bytes that torch.storage._load_from_bytes takes
    for (const pickle::TraceLine& line : stream.trace) {
        if (line.act != pickle::Act::Reduce || !graph.isGlobal(line.object, "torch.storage", "_load_from_bytes")) continue;
        for (const NodeId argument : graph.items(line.arguments, 1)) loaded.insert(argument);
    }
    for (NodeId node = 0; node < graph.size() && m_decoded < budget; ++node) {
        const NodeKind kind = graph.kind(node);
        if (kind != NodeKind::Bytes && kind != NodeKind::ByteArray && kind != NodeKind::Text) continue;
        const auto extent = graph.extent(node);
        const bool isOfStream = !extent || (extent->offset() >= stream.begin && extent->offset() < stream.end);
        if (graph.length(node) < shortest || !isOfStream) continue;
        std::string owned;
        std::string_view text = graph.text(node);
        if (text.empty() && extent && extent->length() <= budget - m_decoded) { // too long to be kept
            owned.resize(extent->length());
            if (!item.source->readAt(extent->offset(), std::as_writable_bytes(std::span(owned)))) continue;
            text = owned;
        }
        const std::uint64_t position = extent ? extent->offset() - stream.begin : 0;
        const bool isLoaded = loaded.contains(node);
        if (isLoaded || looksLoadable(text)) examinePayload(item, text, position, isLoaded);
        else if (const auto decoded = decodedText(text, budget - m_decoded)) examinePayload(item, *decoded, position, false);
    }
}

} // namespace wb::scan
