// SPDX-License-Identifier: MIT
#include "core/formats/series/series.h"

#include "core/base/ascii.h"
#include "core/base/checked.h"
#include "core/formats/json/json.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::series {
namespace {

using Path = std::filesystem::path;

std::optional<std::uint64_t> numberFromDigits(std::string_view digits) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

struct Prefix {
    std::string_view text;
    bool isEpoch;
};

// "checkpoint-500", "global_step500", "iter_0000500", "epoch=3-step=500": a name and a number.
std::optional<SeriesEntry> entryOfFolder(const std::string& name) {
    static constexpr std::array prefixes = {Prefix{"checkpoint", false}, Prefix{"global_step", false}, Prefix{"global-step", false},
                                            Prefix{"step", false},       Prefix{"iter", false},        Prefix{"iteration", false},
                                            Prefix{"epoch", true}};
    const std::string lower = ascii::lowered(name);
    for (const Prefix& prefix : prefixes) {
        if (!lower.starts_with(prefix.text)) continue;
        std::string_view rest = std::string_view(lower).substr(prefix.text.size());
        if (!rest.empty() && (rest[0] == '-' || rest[0] == '_' || rest[0] == '=' || rest[0] == '.')) rest.remove_prefix(1);
        const auto number = numberFromDigits(rest);
        if (!number) continue;
        SeriesEntry entry;
        entry.path = name;
        if (prefix.isEpoch) entry.epoch = static_cast<double>(*number);
        else entry.step = *number;
        return entry;
    }
    return std::nullopt;
}

// A step of orbax' CheckpointManager: a folder named by its number, which holds the items that were saved (google/orbax:
// checkpoint_manager.py).
std::optional<SeriesEntry> entryOfOrbaxStep(const Path& folder, const std::string& name) {
    const auto step = numberFromDigits(name);
    if (!step) return std::nullopt;
    const auto isCheckpoint = [](const Path& path) {
        std::error_code none;
        return std::filesystem::exists(path / "_CHECKPOINT_METADATA", none) || std::filesystem::exists(path / "_METADATA", none);
    };
    std::error_code none;
    const Path path = folder / name;
    bool isStep = isCheckpoint(path);
    for (std::filesystem::directory_iterator at(path, none), end; !none && !isStep && at != end; at.increment(none))
        isStep = isCheckpoint(at->path());
    if (!isStep) return std::nullopt;
    SeriesEntry entry;
    entry.path = name;
    entry.step = step;
    return entry;
}

// The digits after "epoch=" or "step=" as Lightning writes them, wherever they stand.
std::optional<std::uint64_t> numberAfter(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(at + key.size());
    return numberFromDigits(rest.substr(0, rest.find_first_not_of("0123456789")));
}

// "epoch=3-step=500.ckpt", "epoch_12.pth", "iter_40000.pth": the numbers of a file that torch.save wrote.
std::optional<SeriesEntry> entryOfTorchFile(const std::string& name) {
    const std::string lower = ascii::lowered(name);
    static constexpr std::array<std::string_view, 3> endings = {".ckpt", ".pth", ".pt"};
    const auto* const ending = std::ranges::find_if(endings, [&](std::string_view one) { return lower.ends_with(one); });
    if (ending == endings.end()) return std::nullopt;
    const std::string stem = lower.substr(0, lower.size() - ending->size());
    auto entry = entryOfFolder(stem);
    if (!entry) {
        const auto epoch = numberAfter(stem, "epoch=");
        const auto step = numberAfter(stem, "step=");
        if (!epoch && !step) return std::nullopt;
        entry.emplace();
        if (epoch) entry->epoch = static_cast<double>(*epoch);
        entry->step = step;
    }
    entry->path = name;
    entry->parts = {CheckpointPart::Weights};
    return entry;
}

// "weights.08-0.57.hdf5": the epoch, and a metric of unknown kind, which is no loss.
std::optional<SeriesEntry> entryOfKerasFile(const std::string& name) {
    const std::string lower = ascii::lowered(name);
    static constexpr std::array<std::string_view, 3> endings = {".hdf5", ".h5", ".keras"};
    const auto* const ending = std::ranges::find_if(endings, [&](std::string_view one) { return lower.ends_with(one); });
    if (ending == endings.end()) return std::nullopt;
    const std::string_view stem = std::string_view(lower).substr(0, lower.size() - ending->size());
    const std::size_t dash = stem.rfind('-');
    if (dash == std::string_view::npos || dash == 0) return std::nullopt;
    const std::string_view metric = stem.substr(dash + 1);
    if (metric.empty() || metric.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
    const std::size_t dot = stem.rfind('.', dash - 1);
    const auto epoch = dot == std::string_view::npos ? std::nullopt : numberFromDigits(stem.substr(dot + 1, dash - dot - 1));
    if (!epoch) return std::nullopt;
    SeriesEntry entry;
    entry.path = name;
    entry.epoch = static_cast<double>(*epoch);
    entry.parts = {CheckpointPart::Weights};
    return entry;
}

std::optional<SeriesEntry> entryOfFile(const std::string& name) {
    auto entry = entryOfKerasFile(name);
    return entry ? std::move(entry) : entryOfTorchFile(name);
}

std::optional<CheckpointPart> partOfFile(std::string_view name) {
    const auto ends = [name](std::string_view ending) { return name.ends_with(ending); };
    if (name.starts_with("optimizer.") || ends("_optim_states.pt") || name == "distrib_optim.pt") return CheckpointPart::Optimizer;
    if (name.starts_with("scheduler.")) return CheckpointPart::Scheduler;
    if (name.starts_with("rng_state") || name.starts_with("random_states_")) return CheckpointPart::Rng;
    if (name == "scaler.pt") return CheckpointPart::Scaler;
    if (name == "training_args.bin") return CheckpointPart::Arguments;
    if (name == "trainer_state.json") return CheckpointPart::Data;
    if (ends(".safetensors") || ends("_model_states.pt") || ends(".distcp") || ends(".h5") || ends(".keras") || ends(".ckpt") ||
        name == "model_optim_rng.pt" || name == "_METADATA" || (name.starts_with("pytorch_model") && ends(".bin")))
        return CheckpointPart::Weights;
    return std::nullopt;
}

// All files below the folder; at most filesPerModel of them.
void measure(const Path& folder, const formats::OpenOptions& options, SeriesEntry& entry) {
    std::array<bool, static_cast<std::size_t>(CheckpointPart::Other) + 1> has{};
    std::error_code error;
    std::uint64_t files = 0;
    for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (++files > options.limits.filesPerModel || options.progress.stop.stop_requested()) break;
        std::error_code none;
        if (!at->is_regular_file(none)) continue;
        const auto bytes = at->file_size(none);
        if (!none) entry.bytes = checked::add(entry.bytes, bytes).value_or(entry.bytes);
        if (const auto part = partOfFile(io::pathText(at->path().filename()))) has[static_cast<std::size_t>(*part)] = true;
    }
    for (std::size_t part = 0; part < has.size(); ++part)
        if (has[part]) entry.parts.push_back(static_cast<CheckpointPart>(part));
}

const Value* valueMember(const Value& value, std::string_view key) {
    return value.object() != nullptr ? value.object()->find(key) : nullptr;
}

// eval_loss of the last entry of the history that has one, else loss.
std::optional<double> lastLoss(const Value* history) {
    if (history == nullptr || history->array() == nullptr) return std::nullopt;
    for (const char* key : {"eval_loss", "loss"}) {
        std::optional<double> found;
        for (const Value& entry : history->array()->first)
            if (const Value* loss = valueMember(entry, key)) found = loss->number();
        if (found) return found;
    }
    return std::nullopt;
}

// The metrics that orbax' CheckpointManager was given with the step.
void readOrbaxMetrics(const Path& folder, const formats::OpenOptions& options, SeriesEntry& entry) {
    const Path path = folder / "metrics" / "metrics";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    std::vector<Problem> problems;
    const auto source = io::FileSource::open(path);
    const auto metrics = source ? json::readFile(**source, "metrics", options.limits, problems) : std::unexpected(source.error());
    if (!metrics) return;
    for (const char* key : {"eval_loss", "loss"})
        if (const Value* loss = valueMember(*metrics, key); loss != nullptr && !entry.loss) entry.loss = loss->number();
}

void readTrainerState(const Path& folder, const formats::OpenOptions& options, SeriesEntry& entry) {
    constexpr const char* name = "trainer_state.json";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / name, ignored)) return;
    formats::Limits limits = options.limits;
    limits.keptJsonMembers = json::keptValues; // the loss is at the end of the history
    std::vector<Problem> problems;
    const auto source = io::FileSource::open(folder / name);
    const auto state = source ? json::readFile(**source, name, limits, problems) : std::unexpected(source.error());
    if (!state) return; // opening that checkpoint reports it
    if (const Value* step = valueMember(*state, "global_step"); step != nullptr && step->unsignedNumber())
        entry.step = step->unsignedNumber();
    if (const Value* epoch = valueMember(*state, "epoch")) entry.epoch = epoch->number();
    entry.loss = lastLoss(valueMember(*state, "log_history"));
}

} // namespace

std::vector<SeriesEntry> list(const Path& folder, const formats::OpenOptions& options) {
    std::vector<SeriesEntry> entries;
    std::error_code error;
    std::uint64_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (++looked > options.limits.filesPerModel || options.progress.stop.stop_requested()) break;
        std::error_code none;
        const std::string name = io::pathText(at->path().filename());
        const bool isLink = at->is_symlink(none);
        std::optional<SeriesEntry> entry;
        if (at->is_regular_file(none)) entry = entryOfFile(name);
        else if (at->is_directory(none) && !isLink) entry = entryOfFolder(name);
        if (!entry && at->is_directory(none) && !isLink) entry = entryOfOrbaxStep(folder, name);
        if (entry) entries.push_back(std::move(*entry));
    }
    for (SeriesEntry& entry : entries) {
        const Path path = folder / Path(std::u8string(entry.path.begin(), entry.path.end()));
        std::error_code none;
        if (!std::filesystem::is_directory(path, none)) {
            entry.bytes = std::filesystem::file_size(path, none);
            continue;
        }
        measure(path, options, entry);
        readTrainerState(path, options, entry);
        readOrbaxMetrics(path, options, entry);
    }
    std::erase_if(entries, [](const SeriesEntry& entry) { return entry.parts.empty(); }); // folders of something else
    std::ranges::sort(entries, [](const SeriesEntry& a, const SeriesEntry& b) {
        if (a.step != b.step) return a.step < b.step; // those without a step first
        if (a.epoch != b.epoch) return a.epoch < b.epoch;
        return a.path < b.path;
    });
    return entries;
}

} // namespace wb::series
