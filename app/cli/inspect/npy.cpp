// SPDX-License-Identifier: MIT
#include "app/cli/inspect/npy.h"

#include "app/cli/progress_line.h"
#include "core/formats/npy/write_npy.h"

namespace wb::cli {

Result<void> exportNpy(const Context& context, const Model& model, const std::vector<std::size_t>& chosen,
                       const std::filesystem::path& target) {
    if (chosen.empty())
        return fail(ErrorCode::Invalid, Reason("cli.export_nothing"),
                    WB_TEXT("There is no tensor to export; name one with --tensor."));
    ProgressLine line("export", !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t bytes, std::uint64_t total) { line.set(bytes, total); }};
    return npy::writeNpy(model, model.tensors[chosen.front()], target, progress);
}

} // namespace wb::cli
