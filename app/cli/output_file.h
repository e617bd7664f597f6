// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace wb::cli {

// Where something that writes files by itself writes the file of an option: under its name, or for "-" under a temporary one, whose
// bytes go to stdout when it is complete; the temporary name has the ending. Destruction removes the temporary file. Not
// thread-safe.
class OutputFile {
public:
    explicit OutputFile(const std::string& word, const std::string& ending = {});
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    // Once the file is written.
    Result<void> finish() const;

private:
    std::filesystem::path m_path;
    bool m_isStdout = false;
};

// Writes the whole text to the file, which appears at once or not at all, or to stdout. An empty word writes nothing.
Result<void> writeOutput(const std::string& word, std::string_view text);

} // namespace wb::cli
