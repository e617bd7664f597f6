// SPDX-License-Identifier: MIT
#pragma once

#include "tests/unit/support/support.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace wb::test {

struct Finished {
    int status = 0;
    std::string out;
    std::string err;

    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
    long errorLines() const; // lines on stderr
};

// Runs the program with these words, each as one argument, and waits. `redirections` are the shell's and come last, so that a
// stream they name is not seen here.
Finished runWb(const std::vector<std::string>& words, const std::string& redirections = {});

// Runs a copy of the program, which is created if it does not exist.
Finished runCopy(const std::filesystem::path& program, const std::vector<std::string>& words);

// The same where devices fail as tests/gpu/faults/faults.h describes: lost:N, hang:N, reset:N, memory:N.
Finished runWbWithFault(const std::string& fault, const std::vector<std::string>& words);

// While it lives, what runs of the program hand to later ones lies in a folder of its own.
class StateFolder {
public:
    StateFolder();
    ~StateFolder();
    StateFolder(const StateFolder&) = delete;
    StateFolder& operator=(const StateFolder&) = delete;

    const std::filesystem::path& path() const { return m_folder.path(); }
    std::filesystem::path file(const std::string& name, const std::string& content) const { return m_folder.file(name, content); }

private:
    const TemporaryFolder m_folder;
    std::optional<std::string> m_before;
};

} // namespace wb::test
