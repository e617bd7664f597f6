// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

// Writes one JSON document piece by piece, so that a model of 60,000 tensors needs no tree in memory. The caller opens and closes
// objects and arrays in order; commas, quoting and numbers are the writer's. Text that is not UTF-8 becomes U+FFFD, NaN and
// infinities become the strings "nan", "inf", "-inf": the result is always valid JSON in valid UTF-8. Not thread-safe.
class JsonWriter {
public:
    // `sink` gets the text in chunks of some 64 KiB and, from `finish`, the rest.
    explicit JsonWriter(std::function<void(std::string_view)> sink) : m_sink(std::move(sink)) {}

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    void key(std::string_view name);

    void null() { raw("null"); }
    void boolean(bool value) { raw(value ? "true" : "false"); }
    void string(std::string_view text);
    void number(double value);
    void number(float value);
    void integer(std::integral auto value) { raw(std::to_string(value)); }

    // Appends a value that is JSON already.
    void raw(std::string_view json);

    // Starts a new line before the next value: keeps long documents readable without indenting everything.
    void newline() { m_newline = true; }

    void finish();

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void put(std::string_view text);

    std::function<void(std::string_view)> m_sink;
    std::string m_buffer;
    std::vector<bool> m_hasElements;
    bool m_afterKey = false;
    bool m_newline = false;
};

} // namespace wb
