// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/work_items.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

namespace wb::convert {

// Which items of a job are done, in a text file beside the part file. The first line is the job's fingerprint; each further line is
// one finished item with its error sums and a check value, so that a line cut by a crash is not believed. The caller flushes the
// data to the disk before it appends the lines that speak of them.
class Journal {
public:
    // Reads what an earlier run left; another job's journal, or none, starts empty. NotReadable where it cannot be written.
    static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path, const std::string& fingerprint);

    // Finished items of the earlier run.
    const std::map<std::uint64_t, ErrorSums>& resumed() const { return m_resumed; }

    using Entry = std::pair<std::uint64_t, ErrorSums>;
    Result<void> append(const std::vector<Entry>& items);

private:
    Journal() = default;

    std::map<std::uint64_t, ErrorSums> m_resumed;
    std::ofstream m_file;
    std::string m_name;
};

// What tells one job from another: the source's identity, the header of the new file, the importance values and the item size.
Result<std::string> fingerprintOf(const QuantizePlan& plan, std::uint64_t itemElements);

} // namespace wb::convert
