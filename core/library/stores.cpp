// SPDX-License-Identifier: MIT
#include "core/library/stores.h"

#include <algorithm>
#include <array>

namespace wb::library {
namespace {

using Path = std::filesystem::path;

struct KindRow {
    StoreKind kind;
    const char* name;
    const char* owner;
};

constexpr std::array kinds = {KindRow{StoreKind::Weighbridge, "weighbridge", "Weighbridge"},
                              KindRow{StoreKind::HuggingFace, "hf", "Hugging Face"},
                              KindRow{StoreKind::ModelScope, "ms", "ModelScope"},
                              KindRow{StoreKind::Ollama, "ollama", "Ollama"},
                              KindRow{StoreKind::LmStudio, "lmstudio", "LM Studio"},
                              KindRow{StoreKind::Jan, "jan", "Jan"},
                              KindRow{StoreKind::LlamaCpp, "llama.cpp", "llama.cpp"},
                              KindRow{StoreKind::Folder, "folder", ""}};

const KindRow& rowOf(StoreKind kind) { return *std::ranges::find(kinds, kind, &KindRow::kind); }

Path firstSet(std::initializer_list<Path> candidates) {
    for (const Path& path : candidates)
        if (path.is_absolute()) return path;
    return {};
}

Path beneath(const Path& folder, const char* name) { return folder.is_absolute() ? folder / name : Path(); }

} // namespace

const char* kindName(StoreKind kind) { return rowOf(kind).name; }

const char* ownerName(StoreKind kind) { return rowOf(kind).owner; }

std::optional<StoreKind> kindFromName(std::string_view name) {
    const auto* found = std::ranges::find(kinds, name, [](const KindRow& row) { return std::string_view(row.name); });
    if (found == kinds.end()) return std::nullopt;
    return found->kind;
}

Environment storeEnvironment(const Path& home, const Path& ours, const std::function<Path(const char*)>& valueOf) {
    Environment environment;
    environment.home = home;
    environment.ours = ours;
    environment.xdgCacheHome = valueOf("XDG_CACHE_HOME");
    environment.hfHome = valueOf("HF_HOME");
    environment.hfHubCache = valueOf("HF_HUB_CACHE");
    environment.huggingfaceHubCache = valueOf("HUGGINGFACE_HUB_CACHE");
    environment.modelScopeCache = valueOf("MODELSCOPE_CACHE");
    environment.ollamaModels = valueOf("OLLAMA_MODELS");
    environment.llamaCache = valueOf("LLAMA_CACHE");
    environment.localAppData = valueOf("LOCALAPPDATA");
    environment.appData = valueOf("APPDATA");
    return environment;
}

std::vector<Store> usualStores(const Environment& environment) {
    const Path& home = environment.home;
    const Path cache = firstSet({environment.xdgCacheHome, beneath(home, ".cache")});
    std::vector<Store> stores;
    const auto add = [&stores](StoreKind kind, const Path& path) {
        if (!path.is_absolute()) return;
        const Path plain = path.lexically_normal();
        if (std::ranges::find(stores, plain, &Store::path) == stores.end()) stores.push_back({kind, plain});
    };
    add(StoreKind::Weighbridge, environment.ours);
    add(StoreKind::HuggingFace, firstSet({environment.hfHubCache, environment.huggingfaceHubCache,
                                          beneath(environment.hfHome, "hub"), beneath(cache, "huggingface/hub")}));
    add(StoreKind::ModelScope, firstSet({environment.modelScopeCache, beneath(home, ".cache/modelscope")}));
    add(StoreKind::Ollama, firstSet({environment.ollamaModels, beneath(home, ".ollama/models")}));
#ifndef _WIN32
    add(StoreKind::Ollama, "/usr/share/ollama/.ollama/models"); // of the service
#endif
    add(StoreKind::LmStudio, beneath(home, ".lmstudio/models"));
    add(StoreKind::LmStudio, beneath(cache, "lm-studio/models"));
    add(StoreKind::Jan, beneath(home, ".config/Jan/data/llamacpp/models"));
    add(StoreKind::Jan, beneath(home, ".local/share/Jan/data/llamacpp/models"));
    add(StoreKind::Jan, beneath(home, "Library/Application Support/Jan/data/llamacpp/models"));
    // On Windows; that of llama.cpp as its common/common.cpp, fs_get_cache_directory, has it.
    add(StoreKind::Jan, beneath(environment.appData, "Jan/data/llamacpp/models"));
    add(StoreKind::LlamaCpp,
        firstSet({environment.llamaCache, beneath(environment.localAppData, "llama.cpp"), beneath(cache, "llama.cpp")}));
    return stores;
}

} // namespace wb::library
