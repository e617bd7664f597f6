// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::hub {

enum class Hub { HuggingFace, ModelScope };
inline constexpr Hub allHubs[] = {Hub::HuggingFace, Hub::ModelScope};

// "hf", "ms": as ids and JSON name them.
const char* shortName(Hub hub);

// "Hugging Face", "ModelScope".
const char* fullName(Hub hub);

// One repository of models at one revision, and what of it is meant.
struct Repository {
    Hub hub = Hub::HuggingFace;
    std::string name;     // "owner/model"; on Hugging Face old models have no owner
    std::string revision; // branch, tag or commit; empty: the hub's main branch

    std::string revisionOrMain() const; // "main" or "master" where none is named
    std::string text() const;           // "hf:owner/model@revision"

    bool operator==(const Repository&) const = default;
};

// "hf:owner/model", "ms:owner/model@v1", "hf:owner/model@refs/pr/3:file.gguf".
struct RemoteId {
    Repository repository;
    std::string file; // empty: none was named
};

// Whether the text starts as an id of a hub does and not as a path.
bool isRemoteId(std::string_view text);

// Invalid (`hub.bad_id`) with the form that an id has.
Result<RemoteId> parseRemoteId(std::string_view text);

} // namespace wb::hub
