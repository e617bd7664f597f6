// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/facts.h"

namespace wb {

// The facts of the library in an SQLite file, which the window and wb share: a second start reads no header again. It contains only
// what can be read again, so a damaged file is thrown away, and one that cannot be written is a lost convenience and no failure.
// Needs a QCoreApplication. Thread-safe.
class LibraryIndex final : public library::FactsIndex {
public:
    // The folder of the file is made when something is written. The file is read by load() or at the first question.
    explicit LibraryIndex(std::filesystem::path file) : m_file(std::move(file)) {}

    std::optional<library::FileFacts> find(const io::Identity& file) override;
    bool knows(const io::Identity& file) override;
    void keep(const io::Identity& file, const library::FileFacts& facts) override;
    void load() override;
    void flush() override; // writes the entries added since

private:
    void read();

    std::filesystem::path m_file;
    std::mutex m_mutex; // of all that follows
    bool m_isLoaded = false;
    library::MemoryIndex m_known;
    std::vector<std::pair<io::Identity, library::FileFacts>> m_new;
};

} // namespace wb
