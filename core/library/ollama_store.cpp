// SPDX-License-Identifier: MIT
#include "core/io/small_file.h"
#include "core/library/ollama_manifest.h"
#include "core/library/store_readers.h"
#include "core/library/walk.h"

#include <algorithm>
#include <array>

namespace wb::library {
namespace {

using Path = std::filesystem::path;

constexpr std::uint64_t maxManifestBytes = 4u << 20;

// "llama3.2:3b" for registry.ollama.ai/library/llama3.2/3b, "hf.co/user/repo:Q4_K_M" for others; empty where the manifest does not
// are where Ollama puts it.
std::string modelName(const std::string& manifest) {
    if (std::ranges::count(manifest, '/') != 3) return {};
    const std::size_t tag = manifest.rfind('/');
    std::string name = manifest.substr(0, tag) + ':' + manifest.substr(tag + 1);
    for (const std::string_view usual : {"registry.ollama.ai/library/", "registry.ollama.ai/"})
        if (name.starts_with(usual)) return name.substr(usual.size());
    return name;
}

Path blobPath(const Path& store, const OllamaLayer& layer) { return store / "blobs" / ("sha256-" + layer.digest); }

Result<OllamaManifest> readManifest(const Path& path, const std::string& name) {
    return parseOllamaManifest(io::readSmallFile(path, maxManifestBytes).value_or(""), name);
}

Result<Walked> walkManifests(const Path& store, const Progress& progress) {
    return walk(store / "manifests", store, {.depth = 6, .entries = 100'000}, progress);
}

class OllamaReader {
public:
    explicit OllamaReader(const Store& store) : m_store(store) {}

    void take(const WalkedFile& file) {
        const std::string name = modelName(file.name);
        if (name.empty()) return;
        const auto manifest = readManifest(file.path, name);
        if (manifest) addEntry(name, file, *manifest);
        else found.problems.push_back(asProblem(Severity::Warning, "library.manifest", file.name, manifest.error()));
    }

    Found found;

private:
    void addEntry(const std::string& name, const WalkedFile& file, const OllamaManifest& manifest) {
        Entry entry;
        entry.id = std::string(kindName(StoreKind::Ollama)) + ':' + name;
        entry.name = name;
        entry.repository = m_store.path;
        for (const OllamaLayer& layer : manifest.layers) addLayer(entry, layer);
        std::ranges::stable_sort(entry.files, {}, &StoredFile::role);
        if (entry.files.empty() || entry.files.front().role != FileRole::Weights) {
            found.problems.push_back(makeProblem(Severity::Note, "library.no_model_layer", file.name, std::nullopt,
                                                 WB_TEXT("{} has no model file here: it runs remotely, or was not downloaded."),
                                                 name));
            return;
        }
        entry.path = entry.files.front().path;
        StoredFile own;
        own.name = "manifest";
        own.path = file.path;
        own.identity = file.stat.identity;
        entry.files.push_back(std::move(own)); // the last one: planRemoval relies on it
        found.entries.push_back(std::move(entry));
    }

    void addLayer(Entry& entry, const OllamaLayer& layer) {
        const Path blob = blobPath(m_store.path, layer);
        const auto stat = io::statLink(blob);
        if (!stat || stat->type != io::FileStat::Type::File) return;
        StoredFile file;
        file.name = layer.kind;
        file.path = blob;
        file.identity = stat->identity;
        file.accessed = stat->accessed;
        file.role = layer.kind == "model" ? FileRole::Weights : FileRole::Companion;
        file.sha256 = layer.digest;
        file.isHashRecorded = true;
        entry.files.push_back(std::move(file));
    }

    const Store& m_store;
};

} // namespace

Result<Found> readOllama(const Store& store, const Progress& progress) {
    WB_TRY_ASSIGN(const Walked walked, walkManifests(store.path, progress));
    OllamaReader reader(store);
    for (const WalkedFile& file : walked.files) reader.take(file);
    reader.found.problems.insert(reader.found.problems.end(), walked.problems.begin(), walked.problems.end());
    return std::move(reader.found);
}

Result<std::map<Path, std::vector<Path>>> blobsOfManifests(const Path& store) {
    WB_TRY_ASSIGN(const Walked walked, walkManifests(store, {}));
    std::map<Path, std::vector<Path>> blobs;
    for (const WalkedFile& file : walked.files) {
        WB_TRY_ASSIGN(const OllamaManifest manifest, readManifest(file.path, file.name));
        for (const OllamaLayer& layer : manifest.layers) blobs[file.path].push_back(blobPath(store, layer));
    }
    return blobs;
}

} // namespace wb::library
