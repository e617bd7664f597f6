// SPDX-License-Identifier: MIT
#include "core/library/group.h"

#include "core/base/ascii.h"
#include "core/base/split_name.h"

#include <algorithm>
#include <array>
#include <map>

namespace wb::library {
namespace {

using Indices = std::vector<std::size_t>; // into FileTree::files

std::string_view folderFromName(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

std::string_view ownName(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool endsWithAny(std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

enum class Kind { Gguf, Helper, Safetensors, Single, Weights, Partial, Other };

// Single: a model by itself wherever it is; Weights: of a folder with a config.json only.
Kind kindFromName(std::string_view name) {
    const std::string own = ascii::lowered(ownName(name));
    if (endsWithAny(own, {".part", ".incomplete", ".downloadinprogress", ".tmp", ".journal", ".bad", "-partial"}))
        return Kind::Partial;
    if (own.ends_with(".gguf")) return isCompanionName(own) ? Kind::Helper : Kind::Gguf;
    if (own.ends_with(".safetensors")) return Kind::Safetensors;
    if (endsWithAny(own, {".pt", ".pth", ".ckpt", ".onnx", ".tflite", ".keras", ".mlmodel"})) return Kind::Single;
    return endsWithAny(own, {".bin", ".h5", ".msgpack", ".npz"}) ? Kind::Weights : Kind::Other;
}

// "model" for "model-00002-of-00005.gguf"; what has no such end is its own set.
std::string setFromName(std::string_view name) {
    const std::string_view stem = name.substr(0, name.rfind('.'));
    const auto split = parseSplitName(stem);
    return std::string(split ? split->stem : stem);
}

class Grouper {
public:
    explicit Grouper(FileTree tree) : m_tree(std::move(tree)), m_isTaken(m_tree.files.size(), false) {}

    std::vector<Entry> group() {
        sortIntoFolders();
        for (const auto& [folder, files] : m_folders)
            if (has(files, "model_index.json")) addPipeline(folder);
        for (const auto& [folder, files] : m_folders) {
            addGgufs(folder, files);
            addWeights(folder, files);
        }
        return std::move(m_entries);
    }

private:
    void sortIntoFolders() {
        for (std::size_t i = 0; i < m_tree.files.size(); ++i) {
            m_kinds.push_back(kindFromName(m_tree.files[i].name));
            m_folders[std::string(folderFromName(m_tree.files[i].name))].push_back(i);
        }
    }

    const std::string& nameFromFile(std::size_t file) const { return m_tree.files[file].name; }

    bool has(const Indices& files, std::string_view own) const {
        return std::ranges::any_of(files, [&](std::size_t file) { return ownName(nameFromFile(file)) == own; });
    }

    Indices ofKind(const Indices& files, std::initializer_list<Kind> kinds) const {
        Indices found;
        for (const std::size_t file : files)
            if (!m_isTaken[file] && std::ranges::find(kinds, m_kinds[file]) != kinds.end()) found.push_back(file);
        return found;
    }

    // An entry that is called by `inner`, a file or folder relative to the tree.
    Entry& add(std::string_view inner, const std::filesystem::path& path, std::filesystem::path repository) {
        Entry& entry = m_entries.emplace_back();
        entry.id = m_tree.idPrefix + (inner.empty() ? std::string() : m_tree.separator + std::string(inner));
        entry.path = path;
        entry.repository = std::move(repository);
        entry.origin = m_tree.origin;
        return entry;
    }

    std::string shownName(std::string_view own) const {
        if (m_tree.name.empty() || own.empty()) return std::string(own.empty() ? std::string_view(m_tree.name) : own);
        return m_tree.name + " · " + std::string(own);
    }

    // A helper goes with several models; any other file is taken once, its paths, which are dear to copy, with it.
    void put(Entry& entry, const Indices& files, FileRole role) {
        entry.files.reserve(entry.files.size() + files.size());
        for (const std::size_t file : files) {
            entry.files.push_back(m_kinds[file] == Kind::Helper ? m_tree.files[file] : taken(file));
            entry.files.back().role = role;
        }
    }

    // Its name stays: folders are sorted and looked through by it.
    StoredFile taken(std::size_t file) {
        StoredFile& mine = m_tree.files[file];
        m_isTaken[file] = true;
        const std::string name = mine.name;
        StoredFile copy = std::move(mine);
        mine.name = name;
        return copy;
    }

    std::filesystem::path pathFromFolder(std::string_view folder) const {
        return folder.empty() ? m_tree.folder : m_tree.folder / std::filesystem::path(std::u8string(folder.begin(), folder.end()));
    }

    void addFolderEntry(std::string_view folder, const Indices& weights, const Indices& others) {
        const std::string own =
            folder.empty() ? (m_tree.name.empty() ? io::baseName(m_tree.folder) : std::string()) : std::string(ownName(folder));
        Entry& entry = add(folder, pathFromFolder(folder), pathFromFolder(folder));
        entry.name = shownName(own);
        put(entry, weights, FileRole::Weights);
        put(entry, others, FileRole::Companion);
    }

    void addPipeline(std::string_view folder) {
        Indices weights, others;
        for (std::size_t i = 0; i < m_tree.files.size(); ++i) {
            if (m_isTaken[i] || (!folder.empty() && !nameFromFile(i).starts_with(std::string(folder) + '/'))) continue;
            if (m_kinds[i] == Kind::Other || m_kinds[i] == Kind::Helper) others.push_back(i);
            else if (m_kinds[i] != Kind::Partial && m_kinds[i] != Kind::Gguf) weights.push_back(i);
        }
        if (!weights.empty()) addFolderEntry(folder, weights, others);
    }

    Indices filesHelpers(std::string_view folder, const Indices& files) const {
        Indices helpers = ofKind(files, {Kind::Helper});
        const auto top = m_folders.find(std::string_view());
        if (!m_tree.sharesCompanions || folder.empty() || top == m_folders.end()) return helpers;
        const Indices shared = ofKind(top->second, {Kind::Helper});
        helpers.insert(helpers.end(), shared.begin(), shared.end());
        return helpers;
    }

    void addGgufs(std::string_view folder, const Indices& files) {
        const Indices helpers = filesHelpers(folder, files);
        addSets(folder, ofKind(files, {Kind::Gguf}), helpers);
    }

    // One entry for each file, the parts of a split together.
    void addSets(std::string_view folder, const Indices& files, const Indices& helpers) {
        std::map<std::string, Indices> sets;
        for (const std::size_t file : files) sets[setFromName(nameFromFile(file))].push_back(file);
        for (const auto& [set, parts] : sets) {
            Entry& entry = add(nameFromFile(parts.front()), m_tree.files[parts.front()].path, pathFromFolder(folder));
            entry.name = shownName(ownName(set));
            put(entry, parts, FileRole::Weights);
            put(entry, helpers, FileRole::Companion);
        }
    }

    void addWeights(std::string_view folder, const Indices& files) {
        Indices weights = ofKind(files, {Kind::Safetensors});
        if (!has(files, "config.json") && !has(files, "adapter_config.json")) {
            const Indices singles = ofKind(files, {Kind::Single});
            weights.insert(weights.end(), singles.begin(), singles.end());
            addSets(folder, weights, {});
            return;
        }
        if (weights.empty()) weights = ofKind(files, {Kind::Single, Kind::Weights});
        if (!weights.empty()) addFolderEntry(folder, weights, remaining(files, weights));
    }

    Indices remaining(const Indices& files, const Indices& weights) const {
        Indices others;
        for (const std::size_t file : files)
            if (!m_isTaken[file] && std::ranges::find(weights, file) == weights.end() && m_kinds[file] != Kind::Partial &&
                m_kinds[file] != Kind::Helper)
                others.push_back(file);
        return others;
    }

    FileTree m_tree;
    std::vector<Kind> m_kinds;
    std::vector<bool> m_isTaken;
    std::map<std::string, Indices, std::less<>> m_folders;
    std::vector<Entry> m_entries;
};

} // namespace

bool isCompanionName(std::string_view fileName) {
    const std::string own = ascii::lowered(fileName);
    static constexpr std::array beginnings = {"mmproj", "mtp-", "eagle3-", "dflash-", "dspark-", "imatrix"};
    return own.find("mmproj") != std::string::npos ||
           std::ranges::any_of(beginnings, [&](const char* beginning) { return own.starts_with(beginning); });
}

std::vector<Entry> groupFiles(FileTree tree) { return Grouper(std::move(tree)).group(); }

} // namespace wb::library
