// SPDX-License-Identifier: MIT
#include "core/formats/megatron/megatron.h"
#include "core/formats/megatron/rules.h"
#include "core/formats/training/box_recipe.h"
#include "core/formats/training/opened_files.h"
#include "core/model/natural_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::megatron {
namespace {

using Path = std::filesystem::path;

constexpr const char* taskName = "megatron.open";
constexpr const char* trackerName = "latest_checkpointed_iteration.txt";

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    return formats::runIndexTask(input, readIndex, training::boxRecipeWire());
}

// The files of all ranks below the folder of an iteration.
std::vector<std::string> rankFiles(const Path& iteration, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(iteration, error), end; !error && at != end && names.size() < most;
         at.increment(error)) {
        const std::string folder = io::pathText(at->path().filename());
        if (!parseRankName(folder)) continue;
        for (const char* file : {"model_optim_rng.pt", "model_rng.pt", "distrib_optim.pt"}) {
            std::error_code none;
            if (std::filesystem::is_regular_file(at->path() / file, none)) names.push_back(folder + "/" + file);
        }
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return naturalKey(name); });
    return names;
}

// "50": "iter_0000050"; "release": itself.
std::string trackedFolder(const Path& folder) {
    constexpr std::uint64_t most = 64;
    const auto source = io::FileSource::open(folder / trackerName);
    if (!source || (*source)->size() > most) return {};
    std::string text((*source)->size(), '\0');
    if (!(*source)->readAt(0, std::as_writable_bytes(std::span(text)))) return {};
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
    if (text == "release") return text;
    std::uint64_t iteration = 0;
    const auto [end, parsed] = std::from_chars(text.data(), text.data() + text.size(), iteration);
    return parsed == std::errc() && end == text.data() + text.size() ? fmt::format("iter_{:07}", iteration) : std::string();
}

} // namespace

bool isFolder(const Path& folder) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(folder / trackerName, ignored) || !rankFiles(folder, 1).empty();
}

Result<ModelPtr> openFolder(const Path& path, const formats::OpenOptions& options) {
    std::vector<std::string> names = rankFiles(path, options.limits.filesPerModel);
    if (names.empty()) {
        const std::string iteration = trackedFolder(path);
        if (!iteration.empty()) names = rankFiles(path / iteration, options.limits.filesPerModel);
        for (std::string& name : names) name.insert(0, iteration + "/");
        if (names.empty())
            return fail(ErrorCode::NotFound, Reason("megatron.no_iteration"), About{io::baseName(path)},
                        WB_TEXT("{} has no files of ranks: {} names the iteration {}, which does not exist."), io::baseName(path),
                        trackerName, iteration.empty() ? "?" : iteration);
    }
    WB_TRY_ASSIGN(training::OpenedFiles opened, training::openFiles(path, names, options));
    return training::openJoined(taskName, path, std::move(opened), options);
}

std::span<const worker::WorkerTask> tasks() {
    static const std::array all = {worker::WorkerTask{taskName, runTask}};
    return all;
}

} // namespace wb::megatron
