// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace wb::test {
namespace {

std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string textFromPath(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Finished runProgram(std::string command, const std::vector<std::string>& words, const std::string& redirections) {
    const TemporaryFolder folder;
    static const TemporaryFolder home; // the runs of tests are not the user's
    if (!std::getenv("XDG_CONFIG_HOME")) command = "XDG_CONFIG_HOME=" + quoted(home.path().string()) + " " + command;
    for (const std::string& word : words) command += " " + quoted(word);
    command +=
        " >" + quoted((folder.path() / "out").string()) + " 2>" + quoted((folder.path() / "err").string()) + " " + redirections;
    const int raw = std::system(command.c_str());
    return {WEXITSTATUS(raw), textFromPath(folder.path() / "out"), textFromPath(folder.path() / "err")};
}

constexpr const char* stateVariable = "XDG_CONFIG_HOME";

} // namespace

StateFolder::StateFolder() {
    if (const char* before = std::getenv(stateVariable)) m_before = before;
    ::setenv(stateVariable, m_folder.path().c_str(), 1);
}

StateFolder::~StateFolder() { m_before ? ::setenv(stateVariable, m_before->c_str(), 1) : ::unsetenv(stateVariable); }

long Finished::errorLines() const { return std::ranges::count(err, '\n'); }

Finished runWb(const std::vector<std::string>& words, const std::string& redirections) {
    return runProgram(quoted(WB_PROGRAM), words, redirections);
}

Finished runCopy(const std::filesystem::path& program, const std::vector<std::string>& words) {
    std::filesystem::copy_file(WB_PROGRAM, program, std::filesystem::copy_options::skip_existing);
    return runProgram(quoted(program.string()), words, {});
}

Finished runWbWithFault(const std::string& fault, const std::vector<std::string>& words) {
    return runProgram("WEIGHBRIDGE_GPU_FAULT=" + quoted(fault) + " " + quoted(WB_WITH_FAULTS), words, {});
}

} // namespace wb::test
