// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/answers.h"

// The routes and JSON of Hugging Face (docs/reference/hub.md, "Routes" to "Tree"; huggingface/huggingface_hub:
// hf_api.py).
namespace wb::hub::huggingface {

net::Request searchRequest(const Source& source, const SearchRequest& request);
Result<SearchPage> searchPage(const Value& json, const Source& source);

net::Request infoRequest(const Source& source, const Repository& repository);
Result<ModelInfo> info(const Value& json, const Source& source, const Repository& repository);

net::Request filesRequest(const Source& source, const Repository& repository);

// Adds the files of one page.
Result<void> addFiles(const Value& json, const Source& source, const Repository& repository, FileList& list);

// The bytes of a file; redirects lead to them.
net::Request fileRequest(const Source& source, const Repository& repository, const std::string& path);

} // namespace wb::hub::huggingface
