// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/listing.h"

#include "core/base/text.h"
#include "core/io/byte_source.h"

#include <algorithm>

namespace wb::huggingface {

bool Listing::hasFile(std::string_view name) const { return std::ranges::binary_search(files, name); }

std::vector<std::string> Listing::filesEndingWith(std::string_view ending) const {
    std::vector<std::string> found;
    std::ranges::copy_if(files, std::back_inserter(found), [&](const std::string& name) { return name.ends_with(ending); });
    return found;
}

Result<Listing> list(const std::filesystem::path& folder, std::uint64_t maximum) {
    std::error_code error;
    std::filesystem::directory_iterator at(folder.empty() ? "." : folder, error);
    Listing listing;
    for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
        if (listing.files.size() + listing.folders.size() == maximum)
            return fail(ErrorCode::TooLarge, Reason("huggingface.file_count"), About{io::pathText(folder.filename())},
                        WB_TEXT("{} contains more than {} files; open the model folder itself."), io::pathText(folder.filename()),
                        maximum);
        std::error_code ignored;
        const std::string name = io::pathText(at->path().filename());
        if (!isUtf8(name)) continue;
        if (at->is_directory(ignored)) {
            if (!at->is_symlink(ignored)) listing.folders.push_back(name);
        } else if (at->is_regular_file(ignored)) {
            listing.files.push_back(name);
        }
    }
    if (error)
        return fail(ErrorCode::NotReadable, Reason("huggingface.not_listed"), About{io::pathText(folder.filename())},
                    WB_TEXT("Cannot list {} ({}); check its permissions."), io::pathText(folder.filename()), error.message());
    std::ranges::sort(listing.files);
    std::ranges::sort(listing.folders);
    return listing;
}

} // namespace wb::huggingface
