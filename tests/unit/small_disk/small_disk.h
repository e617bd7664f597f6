// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace wb::test {

// What was found wrong, one line each.
class Findings {
public:
    void need(bool holds, const std::string& what) {
        if (!holds) m_text += what + "\n";
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

// Runs `body` in a child process that sees a file system of `bytes` bytes mounted at `folder` (an empty folder), and gives what it
// found wrong. Empty where this system does not let the test mount one; `reason` then says why. Linux only.
std::optional<std::string> onSmallDisk(const std::filesystem::path& folder, std::uint64_t bytes,
                                       const std::function<void(Findings&)>& body, std::string& reason);

} // namespace wb::test
