// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <optional>
#include <string>

namespace wb::io {

// The cache that huggingface_hub keeps in a folder that it filled.
inline constexpr const char* downloadRecords = ".cache/huggingface/download";

// What huggingface_hub recorded about one file of such a folder.
struct DownloadRecord {
    std::string commit; // empty: not recorded
    std::string etag;   // the hub's name of the content: a SHA-256, a SHA-1 of git, or other text
};

// The record of the file `name` (relative, '/' between components) in `folder`: three lines with commit, name of the content and
// time (huggingface/huggingface_hub: _local_folder.py). Empty without such a record, and if the file changed more than a second
// after it was recorded.
std::optional<DownloadRecord> readDownloadRecord(const std::filesystem::path& folder, const std::string& name,
                                                 std::int64_t modifiedNs);

} // namespace wb::io
