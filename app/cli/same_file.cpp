// SPDX-License-Identifier: MIT
#include "app/cli/same_file.h"

#include "app/cli/context.h"

namespace wb::cli {

namespace fs = std::filesystem;

std::unexpected<Error> namedTwice(const std::string& path) {
    return fail(ErrorCode::Invalid, Reason("cli.named_twice"), About{baseName(path)},
                WB_TEXT("{} is named twice; every file of a run needs a name of its own."), path);
}

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    const fs::path first = fs::weakly_canonical(a, error);
    return !error && first == fs::weakly_canonical(b, error) && !error;
}

} // namespace wb::cli
