// SPDX-License-Identifier: MIT
#include "core/io/download_record.h"

#include "core/base/text.h"
#include "core/io/small_file.h"

namespace wb::io {

std::optional<DownloadRecord> readDownloadRecord(const std::filesystem::path& folder, const std::string& name,
                                                 std::int64_t modifiedNs) {
    constexpr std::uint64_t maxBytes = 4096;
    const std::filesystem::path relative(std::u8string(name.begin(), name.end()));
    const auto text = readSmallFile(folder / downloadRecords / (relative.u8string() + u8".metadata"), maxBytes);
    if (!text) return std::nullopt;
    const std::size_t first = text->find('\n');
    const std::size_t second = first == std::string::npos ? first : text->find('\n', first + 1);
    if (second == std::string::npos) return std::nullopt;
    const auto time = parseDouble(std::string_view(*text).substr(second + 1, text->find('\n', second + 1) - second - 1));
    if (!time || static_cast<double>(modifiedNs) / 1e9 > *time + 1) return std::nullopt;
    constexpr std::size_t longestCommit = 100;
    return DownloadRecord{first <= longestCommit ? text->substr(0, first) : std::string(),
                          text->substr(first + 1, second - first - 1)};
}

} // namespace wb::io
