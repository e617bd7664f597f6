// SPDX-License-Identifier: MIT
#include "core/base/json_writer.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <cmath>

namespace wb {
namespace {

constexpr std::size_t chunkBytes = 64 << 10;

std::string jsonString(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"') out += "\\\"";
        else if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else if (c == '\r') out += "\\r";
        else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\u{:04x}", byte);
        else out += c;
    }
    return out + '"';
}

std::string numberText(auto value) {
    const std::string text = shortest(value);
    return std::isfinite(value) ? text : '"' + text + '"';
}

} // namespace

void JsonWriter::put(std::string_view text) {
    m_buffer += text;
    if (m_buffer.size() < chunkBytes) return;
    m_sink(m_buffer);
    m_buffer.clear();
}

void JsonWriter::separate() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_hasElements.empty()) return;
    if (m_hasElements.back()) put(",");
    m_hasElements.back() = true;
    if (m_newline) put("\n");
    m_newline = false;
}

void JsonWriter::open(char bracket) {
    separate();
    put(std::string_view(&bracket, 1));
    m_hasElements.push_back(false);
}

void JsonWriter::close(char bracket) {
    m_hasElements.pop_back();
    if (m_newline) put("\n");
    m_newline = false;
    put(std::string_view(&bracket, 1));
}

void JsonWriter::key(std::string_view name) {
    separate();
    put(jsonString(isUtf8(name) ? std::string(name) : toUtf8(name)));
    put(":");
    m_afterKey = true;
}

void JsonWriter::string(std::string_view text) { raw(jsonString(isUtf8(text) ? std::string(text) : toUtf8(text))); }
void JsonWriter::number(double value) { raw(numberText(value)); }
void JsonWriter::number(float value) { raw(numberText(value)); }

void JsonWriter::raw(std::string_view json) {
    separate();
    put(json);
}

void JsonWriter::finish() {
    put("\n");
    m_sink(m_buffer);
    m_buffer.clear();
}

} // namespace wb
