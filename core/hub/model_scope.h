// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/answers.h"

// The routes and JSON of ModelScope (docs/reference/hub.md, "ModelScope"; modelscope/modelscope_hub: _openapi.py,
// _legacy_api.py). Its answers come in an envelope whose code counts, whatever the status of HTTP says.
namespace wb::hub::modelscope {

inline constexpr std::size_t filesPerAnswer = 3000; // a list is cut there without a word

net::Request searchRequest(const Source& source, const SearchRequest& request, unsigned page);
Result<SearchPage> searchPage(const Value& json, const Source& source, const SearchRequest& request, unsigned page);

net::Request infoRequest(const Source& source, const Repository& repository);
Result<ModelInfo> info(const Value& json, const Source& source, const Repository& repository);

// The files of one folder ("": the whole repository), those of the folders beneath too where `recursive`.
net::Request filesRequest(const Source& source, const Repository& repository, const std::string& folder, bool recursive);

struct Listed {
    std::vector<RemoteFile> files;
    std::vector<std::string> folders;
    std::size_t entries = 0;
};
Result<Listed> files(const Value& json, const Source& source, const Repository& repository);

net::Request fileRequest(const Source& source, const Repository& repository, const std::string& path);

// The refusal that an envelope holds under a status of success or another; empty: it holds none.
std::optional<Error> envelopeError(const Value& json, const Source& source, const Repository* repository);

} // namespace wb::hub::modelscope
