// SPDX-License-Identifier: MIT
#include "app/cli/library/local_models.h"

#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/library/chosen_folders.h"
#include "core/library/filter.h"
#include "core/library/scan.h"
#ifdef WEIGHBRIDGE_HAS_QT
#include "app/store/library_index.h"

#include <QCoreApplication>
#endif

#include <algorithm>

namespace wb::cli {
namespace {

#ifdef WEIGHBRIDGE_HAS_QT
// The library of Qt that reads SQLite is found through it.
void needQt() {
    static int count = 1;
    static char name[] = "wb";
    static char* words[] = {name, nullptr};
    if (!QCoreApplication::instance()) new QCoreApplication(count, words); // lives as long as the process
}

#endif

constexpr std::size_t shownNames = 5;

// "./a", "/models/a", ".\\a", "a.gguf": a file that is missing, not the name of a model. "Qwen2.5-0.5B" has no extension.
bool looksLikePath(std::string_view text) {
    if (text.starts_with('.') || text.starts_with('/') || text.starts_with('~') || text.find('\\') != std::string_view::npos)
        return true;
    const std::size_t dot = text.rfind('.');
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool hasExtension = dot != std::string_view::npos && dot + 1 < text.size() && isLetter(text[dot + 1]);
    return hasExtension && text.find(':') == std::string_view::npos; // ids of the library have extensions, too
}

Error severalModels(const std::string& text, const std::vector<const library::Entry*>& found) {
    std::string ids;
    for (std::size_t i = 0; i < std::min(found.size(), shownNames); ++i) ids += (i == 0 ? "" : ", ") + found[i]->id;
    if (found.size() > shownNames) ids += ", …";
    return makeError(ErrorCode::Invalid, Reason("cli.several_models"), About{text},
                     WB_TEXT("{} names {} models of the library; specify one of them: {}."), escapeControls(text), found.size(),
                     escapeControls(ids));
}

} // namespace

std::unique_ptr<library::FactsIndex> openFactsIndex() {
#ifdef WEIGHBRIDGE_HAS_QT
    if (const auto folder = cacheFolder(); !folder.empty()) {
        needQt();
        return std::make_unique<LibraryIndex>(folder / "library.sqlite");
    }
#endif
    return std::make_unique<library::MemoryIndex>();
}

std::vector<library::Store> localStores(const std::vector<library::Store>& named) {
    std::vector<library::Store> stores =
        library::usualStores(library::storeEnvironment(homeFolder(), modelsFolder(), environmentPath));
    const auto add = [&stores](const library::Store& store) {
        const auto same = std::ranges::find(stores, store.path, &library::Store::path);
        if (same == stores.end()) stores.push_back(store);
        else *same = store;
    };
    for (const library::Store& store : library::readChosenFolders(stateFolder())) add(store);
    for (const library::Store& store : named) add(store);
    return stores;
}

Result<std::string> findLocalModel(const Context& context, const std::string& text) {
    std::error_code ignored;
    if (text.empty() || looksLikePath(text) || std::filesystem::exists(std::filesystem::path(text), ignored)) return text;
    const auto index = openFactsIndex();
    WB_TRY_ASSIGN(const library::Listing listing, library::scan(localStores({}), *index, context.threads, {context.stop, {}}));
    if (const library::Entry* const entry = listing.find(text)) return io::pathText(entry->path);
    std::vector<const library::Entry*> found;
    for (const library::Entry& entry : listing.entries)
        if (library::matchesFilter(library::searchText(entry, listing.stores[entry.store].store), text)) found.push_back(&entry);
    if (found.size() > 1) return std::unexpected(severalModels(text, found));
    if (!found.empty()) return io::pathText(found.front()->path);
    if (text.find('/') != std::string::npos) return text; // a path, after all
    return fail(ErrorCode::NotFound, noLocalModel, About{text},
                WB_TEXT("{} is neither a file nor a model of the library; run wb library to list the models."),
                escapeControls(text));
}

} // namespace wb::cli
