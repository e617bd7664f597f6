// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"

#include <filesystem>
#include <optional>

namespace wb::ui::browse {

// The repository of the other hub that contains files with the same SHA-256.
struct Twin {
    wb::hub::Repository of, repository;
    std::size_t files = 0; // so many
};

// Everything that the page of a model shows.
struct ModelPage {
    wb::hub::ModelInfo info;
    wb::hub::FileList files;
    std::string card;         // Markdown
    std::optional<Twin> twin; // known a moment later; not kept on the disk

    // The files are those of this commit.
    wb::hub::Repository pinned() const;
};

// Lists and pages that were seen before, one JSON file each, so that they can be seen without a network. Unreadable or unwritable
// files are treated as missing. Everything here touches the disk.
class BrowseCache {
public:
    explicit BrowseCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    void keep(wb::hub::Hub hub, const wb::hub::SearchRequest& request, const wb::hub::SearchPage& firstPage) const;
    std::optional<wb::hub::SearchPage> find(wb::hub::Hub hub, const wb::hub::SearchRequest& request) const;

    void keep(const wb::hub::Repository& repository, const ModelPage& page) const;
    std::optional<ModelPage> find(const wb::hub::Repository& repository) const;

private:
    std::filesystem::path m_folder;
};

} // namespace wb::ui::browse
