// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

// The places where this program and others keep models (docs/reference/hub.md, "Local stores"). Nothing here touches
// the disk.
namespace wb::library {

enum class StoreKind : std::uint8_t { Weighbridge, HuggingFace, ModelScope, Ollama, LmStudio, Jan, LlamaCpp, Folder };

// "weighbridge", "hf", "ms", "ollama", "lmstudio", "jan", "llama.cpp", "folder": what is in ids and behind --store.
const char* kindName(StoreKind kind);
std::optional<StoreKind> kindFromName(std::string_view name);

// The name of the program that keeps it, for people: "Hugging Face", "Ollama". Empty for a folder of the user.
const char* ownerName(StoreKind kind);

struct Store {
    StoreKind kind = StoreKind::Folder;
    std::filesystem::path path;
    bool isChosen = false; // by the user, who sees a message if it is missing; the others are searched

    friend bool operator==(const Store&, const Store&) = default;
};

// What decides where the stores of this user lie. All values are passed in, so that nothing here reads the environment; an empty
// one is not set, and one that is no absolute path is ignored.
struct Environment {
    std::filesystem::path home;
    std::filesystem::path ours;                // the folder that this program downloads into
    std::filesystem::path xdgCacheHome;        // XDG_CACHE_HOME
    std::filesystem::path hfHome;              // HF_HOME
    std::filesystem::path hfHubCache;          // HF_HUB_CACHE
    std::filesystem::path huggingfaceHubCache; // HUGGINGFACE_HUB_CACHE, the old name
    std::filesystem::path modelScopeCache;     // MODELSCOPE_CACHE
    std::filesystem::path ollamaModels;        // OLLAMA_MODELS
    std::filesystem::path llamaCache;          // LLAMA_CACHE
    std::filesystem::path localAppData;        // LOCALAPPDATA, of Windows
    std::filesystem::path appData;             // APPDATA, of Windows
};

// The environment of this process, read through `valueOf` by the names above.
Environment storeEnvironment(const std::filesystem::path& home, const std::filesystem::path& ours,
                             const std::function<std::filesystem::path(const char*)>& valueOf);

// Where the stores usually lie, whether they exist or not; each folder once.
std::vector<Store> usualStores(const Environment& environment);

} // namespace wb::library
