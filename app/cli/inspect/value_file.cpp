// SPDX-License-Identifier: MIT
#include "app/cli/inspect/value_file.h"

#include "app/cli/progress_line.h"
#include "core/formats/value_export.h"

namespace wb::cli {

Result<void> exportValues(const Context& context, const Model& model, const std::vector<std::size_t>& chosen,
                          const std::string& target) {
    ProgressLine line("export", !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t bytes, std::uint64_t total) { line.set(bytes, total); }};
    return formats::exportTensors(model, chosen, std::filesystem::path(target), progress);
}

} // namespace wb::cli
