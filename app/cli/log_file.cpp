// SPDX-License-Identifier: MIT
#include "app/cli/log_file.h"

#include "app/cli/context.h"

#include <filesystem>
#include <cstdio>
#include <fstream>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

// Whether the existing content cannot be continued with text: models and matrices hold zero bytes near their beginning, plans,
// indices and configurations start with a brace.
bool isForeign(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false; // a terminal would be waited for
    std::string head(4096, ' ');
    std::ifstream in(path, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    return head.starts_with('{') || head.find('\0') != std::string::npos;
}

// A file that does not exist yet is not made to find that out. A pipe may have no reader.
bool canBeWritten(const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return !fs::is_fifo(path, ignored) && std::ofstream(path, std::ios::app);
    return path.has_filename() && fs::is_directory(path.has_parent_path() ? path.parent_path() : fs::path("."), ignored);
}

std::unexpected<Error> notWritable(const std::string& path) {
    return fail(ErrorCode::NotWritable, Reason("log.not_writable"), About{baseName(path)},
                "{} cannot be written; choose another file for --log.", path);
}

} // namespace

Result<void> LogFile::check() const {
    if (path.empty() || path == stdoutWord || m_isOpen) return {};
    if (!canBeWritten(fs::path(path))) return notWritable(path);
    if (isForeign(fs::path(path)))
        return fail(ErrorCode::NotWritable, foreignLog, About{baseName(path)},
                    "{} exists and is not a log; choose another file for --log.", path);
    return {};
}

Result<void> LogFile::open() {
    if (path.empty() || m_isOpen) return {};
    WB_TRY(check());
    if (!append()) return notWritable(path);
    m_isOpen = true;
    m_waiting.clear();
    return {};
}

void LogFile::add(const std::string& line) {
    if (path.empty()) return;
    m_waiting.push_back(line);
    if (m_isOpen && append()) m_waiting.clear();
}

bool LogFile::append() const {
    if (path == stdoutWord) {
        for (const std::string& line : m_waiting) std::fputs((line + '\n').c_str(), stdout);
        return true;
    }
    std::ofstream out(fs::path(path), std::ios::app);
    for (const std::string& line : m_waiting) out << line << '\n';
    out.close();
    return out.good();
}

} // namespace wb::cli
