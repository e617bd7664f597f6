// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/io/byte_source.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::formats {

// The bytes of a file that decide on its format. The directory of an archive and the text of JSON are read when they are first
// asked for. Not thread-safe.
class Sample {
public:
    static Result<Sample> of(std::shared_ptr<io::ByteSource> source, const OpenOptions& options);

    const std::string& name() const { return m_source->name(); }
    std::uint64_t size() const { return m_source->size(); }
    const std::shared_ptr<io::ByteSource>& source() const { return m_source; }
    std::span<const std::byte> head() const { return m_head; } // up to 4 KiB
    std::span<const std::byte> tail() const { return m_tail; } // up to 512 bytes
    std::string_view text() const { return {reinterpret_cast<const char*>(m_head.data()), m_head.size()}; }

    bool isZip() const;
    bool isTar() const;
    bool isJson() const; // starts with a brace

    // The names of an archive's members; empty for other files.
    const std::vector<std::string>& members() const;

    // The whole text of a JSON file: an index may be long, and its writer may put the map last. Empty for other files and where it
    // is too long.
    const std::string& json() const;

    // Why members() or json() could not be read.
    const std::optional<Error>& failure() const { return m_failure; }

private:
    Sample(std::shared_ptr<io::ByteSource> source, const OpenOptions& options) : m_source(std::move(source)), m_options(options) {}
    Result<std::vector<std::string>> readMembers() const;
    Result<std::string> readText() const;

    std::shared_ptr<io::ByteSource> m_source;
    OpenOptions m_options;
    std::vector<std::byte> m_head, m_tail;
    mutable std::optional<std::vector<std::string>> m_members;
    mutable std::optional<std::string> m_json;
    mutable std::optional<Error> m_failure;
};

} // namespace wb::formats
