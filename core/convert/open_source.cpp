// SPDX-License-Identifier: MIT
#include "core/convert/open_source.h"

#include "core/convert/merge/merged_model.h"
#include "core/convert/trust.h"
#include "core/formats/open.h"
#include "core/merge/adapters.h"
#include "core/model/checkpoint.h"

namespace wb::convert {

Result<ModelPtr> openSource(const std::filesystem::path& path, const SourceOptions& options) {
    formats::OpenOptions open;
    open.strictness = formats::Strictness::Strict;
    open.threads = options.threads;
    open.progress = options.progress;
    auto opened = formats::open(path, open);
    if (!opened && options.mayBeIncomplete && opened.error().code == ErrorCode::Malformed) {
        open.strictness = formats::Strictness::Lenient;
        auto lenient = formats::open(path, open);
        if (lenient && (*lenient)->checkpoint && (*lenient)->checkpoint->isJoined) opened = std::move(lenient);
    }
    if (!opened) return std::unexpected(std::move(opened).error());
    ModelPtr model = std::move(*opened);
    WB_TRY(requireTrust(*model, options.isTrusted));
    return model;
}

Result<ModelPtr> withModels(ModelPtr model, const MergeChoices& choices,
                            const std::function<Result<ModelPtr>(const std::filesystem::path&)>& open,
                            const std::function<std::optional<Dtype>(const std::string& name)>& typeOf) {
    if (choices.isNone()) return model;
    std::vector<ModelPtr> others;
    for (const std::string& path : choices.models) {
        WB_TRY_ASSIGN(ModelPtr other, open(std::filesystem::path(std::u8string(path.begin(), path.end()))));
        others.push_back(std::move(other));
    }
    return mergedModel(model, others, choices, typeOf);
}

Result<ModelPtr> withAdapters(ModelPtr model, std::span<const AdapterFile> adapters, const SourceOptions& options) {
    std::vector<merge::Adapter> opened;
    for (const AdapterFile& file : adapters) {
        const std::filesystem::path path(std::u8string(file.path.begin(), file.path.end()));
        WB_TRY_ASSIGN(ModelPtr adapter, openSource(path, options));
        opened.push_back({std::move(adapter), file.scale});
    }
    return opened.empty() ? model : merge::mergeAdapters(model, opened, options.progress.stop);
}

} // namespace wb::convert
