// SPDX-License-Identifier: MIT
#include "app/cli/command_files.h"

#include "app/cli/command.h"
#include "core/convert/run/work_files.h"
#include "core/io/atomic_writer.h"
#include "core/io/target.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace wb::cli {

namespace fs = std::filesystem;

void CommandFiles::declare(CLI::App& command, const FileOptions& options) {
    const auto add = [&](const std::vector<const char*>& names, Role role) {
        for (const char* name : names) m_declared.push_back({command.get_option(name), role});
    };
    for (const char* name : options.reads) command.get_option(name)->check(checkNotEmpty);
    add(options.reads, Role::Read);
    add(options.writes, Role::Written);
    add(options.works, Role::Work);
    add(options.appends, Role::Appended);
}

// A name that contains "=" is tried as a whole first.
void CommandFiles::takeRead(const std::string& word) {
    const auto add = [this](const std::string& path) {
        m_roles.reads(fs::path(path));
        m_readWords.push_back(path);
    };
    add(word);
    if (io::isTaken(fs::path(word)) || !word.contains('=')) return;
    add(word.substr(0, word.rfind('=')));
    add(word.substr(word.find('=') + 1));
}

std::string CommandFiles::missingWord(std::string_view name) const {
    const auto found = std::ranges::find_if(
        m_readWords, [&](const std::string& word) { return baseName(word) == name && !io::isTaken(fs::path(word)); });
    return found == m_readWords.end() ? std::string() : *found;
}

Result<void> CommandFiles::takeWritten(const std::string& word, Role role, bool printsJson) {
    if (word != stdoutWord) {
        const fs::path path(word);
        m_roles.writes(path);
        if (role == Role::Written) m_replaced.push_back(path);
        if (role != Role::Work) return {};
        for (const fs::path& file : run::workFiles(path, {path}))
            if (file != path) m_roles.writes(file, io::FileRoles::Output::Work);
        return {};
    }
    if (role == Role::Work || printsJson || m_usesStdout)
        return fail(ErrorCode::Invalid, stdoutTaken, About{word},
                    role == Role::Work ? WB_TEXT("{} (stdout) cannot be written here; name a file.")
                                       : WB_TEXT("{} (stdout) can take only one output; name a file for the other."),
                    word);
    m_usesStdout = true;
    return {};
}

Result<void> CommandFiles::take(const CLI::App& command, bool printsJson) {
    const CLI::Option* const force = command.get_option_no_throw("--force");
    m_isForced = force != nullptr && force->count() > 0;
    for (const Declared& one : m_declared) {
        if (one.option->results().empty()) continue; // also those of other commands
        if (one.role != Role::Read) WB_TRY(takeWritten(one.option->results().back(), one.role, printsJson));
        else std::ranges::for_each(one.option->results(), [this](const std::string& word) { takeRead(word); });
    }
    WB_TRY(m_roles.check());
    for (const fs::path& path : m_replaced) WB_TRY(checkFree(path));
    return {};
}

// Now rather than when all work is done.
Result<void> CommandFiles::checkFree(const fs::path& path) const {
    std::error_code ignored;
    if (!m_isForced && fs::is_regular_file(path, ignored))
        return fail(ErrorCode::NotWritable, outputExists, About{io::baseName(path)},
                    WB_TEXT("{} exists already; choose another name, or replace it with --force."), io::pathText(path));
    WB_TRY_ASSIGN(const auto unused, io::AtomicWriter::create(path));
    return {};
}

Result<void> CommandFiles::alsoRead(const fs::path& path) {
    m_roles.reads(path);
    return m_roles.check();
}

Result<void> CommandFiles::alsoRead(const Model& model) {
    for (const ModelFile& file : model.files) m_roles.reads(file.identity);
    return m_roles.check();
}

Result<void> CommandFiles::alsoRead(std::span<const io::Identity> files) {
    for (const io::Identity& file : files) m_roles.reads(file);
    return m_roles.check();
}

// One that is refused is no output.
Result<void> CommandFiles::alsoWrite(const fs::path& path) {
    io::FileRoles roles = m_roles;
    roles.writes(path);
    WB_TRY(roles.check());
    WB_TRY(checkFree(path));
    m_roles = std::move(roles);
    return {};
}

// The target itself is one of the options.
Result<void> CommandFiles::alsoWork(const std::vector<fs::path>& files, const fs::path& target) {
    const auto known = run::workFiles(target, {target});
    for (const fs::path& file : run::workFiles(target, files))
        if (std::ranges::find(known, file) == known.end()) m_roles.writes(file, io::FileRoles::Output::Work);
    return m_roles.check();
}

bool isWrongOutput(const Error& error) {
    constexpr std::array wrong = {io::outputIsInput, io::outputTwice, stdoutTaken, Reason("run.target_is_source")};
    return std::ranges::find(wrong, error.reason) != wrong.end();
}

} // namespace wb::cli
