// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

// How one member is written. What is empty is as an honest writer has it.
struct ZipMember {
    std::string name = {};
    std::string content = {};
    bool deflate = false;
    bool sizesFollow = false; // PyTorch's form: no sizes in the local header, a descriptor behind the data
    bool wide = false;        // sizes in 64-bit fields
    unsigned alignment = 1;   // of the data, by PyTorch's filler in the local header
    std::uint16_t flags = 0;  // in both headers
    std::string padding = {}; // bytes before its header
    // What the local header says otherwise.
    std::optional<std::string> localName = {};
    std::optional<std::uint16_t> localMethod = {};
    std::optional<std::uint32_t> localCrc = {};
    std::optional<std::uint32_t> localBytes = {};
    std::optional<std::uint16_t> localFlags = {};
    // What both say, or the directory alone.
    std::optional<std::uint16_t> method = {};
    std::optional<std::uint32_t> crc = {};
    std::optional<std::uint32_t> bytes = {};
    std::optional<std::uint32_t> header = {}; // position of the local header
};

struct ZipForm {
    std::string prefix = {};      // before the archive
    bool prefixIsCounted = false; // whether the offsets count it
    std::string comment = {};
    std::string suffix = {}; // behind the archive
    bool wide = false;       // a 64-bit end record
    std::optional<std::uint16_t> members = {};
    std::optional<std::uint32_t> directoryOffset = {};
    std::optional<std::uint16_t> disk = {};
};

std::string makeZip(const std::vector<ZipMember>& members, const ZipForm& form = {});

} // namespace wb::test
