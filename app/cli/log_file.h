// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace wb::cli {

inline constexpr Reason foreignLog("log.foreign"); // the file has other content than lines

// The file of --log. Lines wait in memory until open(), which a command calls when it knows that the file has no other part in it:
// a refusal must not write into what it protects. Not thread-safe.
class LogFile {
public:
    std::string path; // as typed; empty: no log, and every call does nothing

    // Says before long work, and without a trace, what open() will refuse: NotWritable for a pipe, for a file that cannot be
    // written or has no folder, and for one with content other than lines, like a model.
    Result<void> check() const;

    // Appends what waits, and from now on every line at once. Fails as check() does.
    Result<void> open();

    // One line, without its end.
    void add(const std::string& line);

private:
    bool append() const;

    std::vector<std::string> m_waiting;
    bool m_isOpen = false;
};

} // namespace wb::cli
