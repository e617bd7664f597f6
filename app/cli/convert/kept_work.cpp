// SPDX-License-Identifier: MIT
#include "app/cli/convert/kept_work.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdio>

namespace wb::cli {

void sayKeptWork(const Context& context, const std::vector<std::filesystem::path>& workFiles, const std::string& out) {
    std::error_code ignored;
    const auto isKept = [&](const auto& file) { return file.extension() == ".journal" && std::filesystem::exists(file, ignored); };
    if (context.quiet || std::ranges::none_of(workFiles, isKept)) return;
    fmt::print(stderr, "Progress is saved. Run the same command to resume, or discard it with wb unfinished --discard {}.\n",
               escapeControls(toUtf8(shellWord(out))));
}

} // namespace wb::cli
