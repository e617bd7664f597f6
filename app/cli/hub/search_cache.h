// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace wb::cli {

// The lists that hubs gave to earlier searches, for `wb search --offline`; kept as kept_file.h says.
class SearchCache {
public:
    explicit SearchCache(std::filesystem::path folder) : m_folder(std::move(folder)) {} // empty: keeps nothing

    void keep(hub::Hub hub, const hub::SearchRequest& request, const std::vector<hub::ModelRow>& rows) const;
    std::optional<std::vector<hub::ModelRow>> find(hub::Hub hub, const hub::SearchRequest& request) const;

private:
    std::filesystem::path cacheFile(hub::Hub hub, const hub::SearchRequest& request) const;

    std::filesystem::path m_folder;
};

} // namespace wb::cli
