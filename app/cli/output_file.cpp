// SPDX-License-Identifier: MIT
#include "app/cli/output_file.h"

#include "app/cli/command_files.h"
#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

fs::path temporaryFile(const std::string& ending) {
    std::random_device random;
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    return folder / fmt::format("weighbridge-{:08x}{:08x}{}", random(), random(), ending);
}

} // namespace

OutputFile::OutputFile(const std::string& word, const std::string& ending)
    : m_path(word == stdoutWord ? temporaryFile(ending) : fs::path(word)), m_isStdout(word == stdoutWord) {}

OutputFile::~OutputFile() {
    std::error_code ignored;
    if (m_isStdout) fs::remove(m_path, ignored);
}

// A failure of stdout itself is found when the program ends.
Result<void> OutputFile::finish() const {
    if (!m_isStdout) return {};
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(m_path));
    std::vector<std::byte> part(1 << 20);
    for (std::uint64_t at = 0; at < source->size(); at += part.size()) {
        part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), source->size() - at)));
        WB_TRY(source->readAt(at, part));
        std::fwrite(part.data(), 1, part.size(), stdout);
    }
    return {};
}

Result<void> writeOutput(const std::string& word, std::string_view text) {
    if (word.empty()) return {};
    if (word == stdoutWord) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        return {};
    }
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(fs::path(word)));
    WB_TRY(writer.write(text));
    return writer.commit();
}

} // namespace wb::cli
