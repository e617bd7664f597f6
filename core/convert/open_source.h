// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/convert/source/adapter_file.h"
#include "core/convert/source/merge_choices.h"
#include "core/model/model.h"

#include <filesystem>
#include <functional>
#include <span>

namespace wb::convert {

// How sources of a job are opened.
struct SourceOptions {
    bool isTrusted = false; // see requireTrust
    unsigned threads = 0;   // 0: all
    Progress progress;
    bool mayBeIncomplete = false; // a checkpoint with missing or damaged ranks opens, too
};

// Opens a model strictly. Fails with untrustedSource if it has to be confirmed first.
Result<ModelPtr> openSource(const std::filesystem::path& path, const SourceOptions& options);

// The model with the others of `choices` merged into it; itself without any. `open` opens one of them, decoded.
Result<ModelPtr> withModels(ModelPtr model, const MergeChoices& choices,
                            const std::function<Result<ModelPtr>(const std::filesystem::path&)>& open,
                            const std::function<std::optional<Dtype>(const std::string& name)>& typeOf = {});

// The model with these adapters merged into its weights, in this order; itself without adapters.
Result<ModelPtr> withAdapters(ModelPtr model, std::span<const AdapterFile> adapters, const SourceOptions& options);

} // namespace wb::convert
