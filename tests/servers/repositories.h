// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wb::test {

// One file of a repository: a text, or so many bytes of the formula, which are large files (LFS). A text of a large file stands
// instead of its first bytes.
struct ServedFile {
    std::string path;
    std::string text;
    std::uint64_t bytes = 0;
    std::uint64_t seed = 0;
    bool isLarge = false;
    std::string sha256;
    std::string gitSha1;
    std::optional<std::string> listedSize = {}; // as JSON, where the list lies

    std::string tag() const { return isLarge ? sha256 : gitSha1; }
};

ServedFile textFile(std::string path, std::string text);
ServedFile formulaFile(std::string path, std::uint64_t bytes, std::uint64_t seed);

// A large file of the formula that begins with `beginning`, a model's header for one. Its sha256 is an invented one, since nobody
// fetches it whole.
ServedFile modelFile(std::string path, std::uint64_t bytes, std::string beginning);

struct ServedRepository {
    std::string id = {}; // "owner/name"
    std::string commit = std::string(40, 'c');
    std::string gated = {};   // "auto", "manual"; empty: open
    std::string movedTo = {}; // another id
    bool isPrivate = false;
    bool isDisabled = false;
    std::string chineseName = {};
    std::uint64_t downloads = 0;
    std::uint64_t parameters = 0; // 0: the hub does not say
    std::vector<std::string> tags = {};
    std::vector<ServedFile> files = {};

    const ServedFile* find(const std::string& path) const;
};

} // namespace wb::test
