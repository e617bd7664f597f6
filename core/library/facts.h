// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"
#include "core/model/format_id.h"

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace wb::library {

// Facts about a model from a header or a config.json. Empty and 0: it does not specify.
struct FileFacts {
    FormatId format = FormatId::Unknown;
    std::string architecture;
    std::string quant; // "Q4_K_M", "BF16", "awq 4 bit"
    std::string licence;
    std::uint64_t parameters = 0;
    std::uint64_t tensorBytes = 0;
    std::uint64_t context = 0; // tokens it was trained for
    std::string sha256;        // of the whole file, once it was computed
    bool isDamaged = false;    // strict opening refuses it (damage.h)

    friend bool operator==(const FileFacts&, const FileFacts&) = default;
};

// Keeps facts from one scan to the next, by what identifies a state of a file. Thread-safe.
class FactsIndex {
public:
    virtual ~FactsIndex() = default;
    virtual std::optional<FileFacts> find(const io::Identity& file) = 0;
    virtual bool knows(const io::Identity& file) { return find(file).has_value(); }
    virtual void keep(const io::Identity& file, const FileFacts& facts) = 0;
    virtual void load() {}  // reads what lasts, if that takes time; find() does it too
    virtual void flush() {} // saves the cached facts; may write to the disk
};

// For one process.
class MemoryIndex final : public FactsIndex {
public:
    std::optional<FileFacts> find(const io::Identity& file) override;
    bool knows(const io::Identity& file) override;
    void keep(const io::Identity& file, const FileFacts& facts) override;

private:
    struct Hash {
        std::size_t operator()(const io::Identity& file) const;
    };

    std::mutex m_mutex;
    std::unordered_map<io::Identity, FileFacts, Hash> m_facts;
};

// Reads the header of a GGUF or safetensors file, identified by content, or a config.json by its name. Any other file has the
// format that its ending claims and no more facts. A file that cannot be read, or that strict opening refuses, is damaged; only a
// stop is an error.
Result<FileFacts> readFacts(const std::filesystem::path& path, const Progress& progress);

} // namespace wb::library
