// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/deepspeed.h"
#include "core/formats/deepspeed/names.h"
#include "core/formats/torch/torch.h"
#include "core/formats/training/opened_files.h"
#include "core/model/natural_order.h"

#include <algorithm>
#include <array>

namespace wb::deepspeed {
namespace {

using Path = std::filesystem::path;

constexpr const char* taskName = "deepspeed.open";
constexpr const char* latestName = "latest";
constexpr const char* universalName = "latest_universal";

Path pathFrom(const std::string& name) { return std::u8string(name.begin(), name.end()); }

// The state files in a folder, ranks in their order; at most `most` entries are looked at.
std::vector<std::string> stateNames(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    std::uint64_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && looked < most; at.increment(error)) {
        ++looked;
        std::error_code none;
        const std::string name = io::pathText(at->path().filename());
        if (parseStateName(name) && at->is_regular_file(none)) names.push_back(name);
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return naturalKey(name); });
    return names;
}

// The files of a universal checkpoint below its folder `zero`, by parameter and state.
std::vector<std::string> universalNames(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(folder / "zero", error), end; !error && at != end && names.size() < most;
         at.increment(error)) {
        std::error_code none;
        if (at.depth() > 1 || at->path().extension() != ".pt" || !at->is_regular_file(none)) continue;
        names.push_back(io::pathText(std::filesystem::relative(at->path(), folder, none)));
    }
    std::ranges::sort(names);
    return names;
}

// The folders of steps in a folder, the newest last.
std::vector<std::string> stepFolders(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    std::uint64_t looked = 0;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && looked < most; at.increment(error)) {
        ++looked;
        std::error_code none;
        if (at->is_directory(none) && !at->is_symlink(none) && !stateNames(at->path(), most).empty())
            names.push_back(io::pathText(at->path().filename()));
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return naturalKey(name); });
    return names;
}

// The step that the file `latest` names; empty if the file is missing or its text is not a name.
std::string latestStep(const Path& folder, const char* file = latestName) {
    constexpr std::uint64_t most = 4096;
    const auto source = io::FileSource::open(folder / file);
    if (!source || (*source)->size() > most) return {};
    std::string text((*source)->size(), '\0');
    if (!(*source)->readAt(0, std::as_writable_bytes(std::span(text)))) return {};
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
    return io::isPlainRelativeName(text) ? text : std::string();
}

// States of ranks, and of a universal checkpoint those of parameters.
std::vector<std::string> allNames(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names = stateNames(folder, most);
    auto parameters = universalNames(folder, most);
    std::ranges::move(parameters, std::back_inserter(names));
    return names;
}

struct Step {
    std::string folder; // relative to the opened one; empty: that one itself
    std::vector<std::string> names;
    std::optional<Problem> problem;
};

Result<Step> findStep(const Path& path, const formats::OpenOptions& options) {
    const std::uint64_t most = options.limits.filesPerModel;
    if (auto own = allNames(path, most); !own.empty()) return Step{"", std::move(own), std::nullopt};
    std::string latest = latestStep(path);
    if (latest.empty()) latest = latestStep(path, universalName);
    if (!latest.empty())
        if (auto names = allNames(path / pathFrom(latest), most); !names.empty())
            return Step{latest, std::move(names), std::nullopt};
    const auto steps = stepFolders(path, most);
    const std::string base = io::baseName(path);
    if (steps.empty())
        return fail(
            ErrorCode::NotFound, Reason("deepspeed.no_step"), About{base},
            WB_TEXT("{} has no files of a DeepSpeed checkpoint: its file `latest` names the step {}, which does not exist."), base,
            latest.empty() ? "?" : latest);
    Step step{steps.back(), allNames(path / pathFrom(steps.back()), most), std::nullopt};
    if (std::filesystem::exists(path / latestName))
        step.problem = makeProblem(Severity::Warning, "deepspeed.latest", latestName, std::nullopt,
                                   WB_TEXT("The file `latest` names {}, which does not exist; {} is shown instead."),
                                   latest.empty() ? "?" : latest, step.folder);
    return step;
}

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) { return formats::runIndexTask(input, readIndex); }

Result<Model> ask(const std::string& subject, const training::OpenedFiles& opened, const formats::OpenOptions& options) {
    return formats::askWorker({taskName}, subject, opened.files, opened.wish, options);
}

// Whether the process that read the files died, rather than found something.
bool isOfWorker(const Error& error) {
    static constexpr std::array reasons = {Reason("worker.died"), Reason("worker.timeout"), Reason("worker.garbled")};
    return std::ranges::find(reasons, error.reason) != reasons.end();
}

// One file that the reader dies of must not take the others along: each is tried alone, and those that work are read again.
Result<Model> askForTheRest(const std::string& subject, training::OpenedFiles opened, const Error& first,
                            const formats::OpenOptions& options) {
    training::OpenedFiles rest;
    rest.problems = std::move(opened.problems);
    for (formats::OpenedFile& file : opened.files) {
        const auto alone = torch::open(file.source, options);
        if (!alone && alone.error().code == ErrorCode::Canceled) return std::unexpected(alone.error());
        if (alone || !isOfWorker(alone.error())) {
            rest.wish += file.file.name + "\n";
            rest.files.push_back(std::move(file));
        } else rest.problems.push_back(asProblem(Severity::Error, "training.rank_unreadable", file.file.name, alone.error()));
    }
    if (rest.files.empty() || rest.files.size() == opened.files.size()) return std::unexpected(first);
    WB_TRY_ASSIGN(Model model, ask(subject, rest, options));
    std::ranges::move(rest.problems, std::back_inserter(model.problems));
    return model;
}

} // namespace

bool isFolder(const Path& folder) {
    constexpr std::uint64_t most = 10'000;
    std::error_code ignored;
    if (!stateNames(folder, most).empty()) return true;
    std::string latest = latestStep(folder);
    if (latest.empty()) latest = latestStep(folder, universalName);
    if (!latest.empty() && (std::filesystem::is_directory(folder / pathFrom(latest), ignored) || latest.starts_with("global_step")))
        return true;
    return !stepFolders(folder, most).empty();
}

Result<ModelPtr> openFolder(const Path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Step step, findStep(path, options));
    std::vector<std::string> names;
    for (const std::string& name : step.names) names.push_back(step.folder.empty() ? name : step.folder + "/" + name);
    WB_TRY_ASSIGN(training::OpenedFiles opened, training::openFiles(path, names, options));
    const std::string subject = io::baseName(path);
    auto model = ask(subject, opened, options);
    if (!model && isOfWorker(model.error()) && opened.files.size() > 1 && options.strictness == formats::Strictness::Lenient)
        model = askForTheRest(subject, std::move(opened), model.error(), options);
    else if (model) std::ranges::move(opened.problems, std::back_inserter(model->problems));
    if (!model) return std::unexpected(std::move(model).error());
    model->path = path;
    model->folder = path;
    if (step.problem) model->problems.push_back(std::move(*step.problem));
    sortProblems(model->problems);
    return std::make_shared<const Model>(std::move(*model));
}

std::span<const worker::WorkerTask> tasks() {
    static const std::array all = {worker::WorkerTask{taskName, runTask}};
    return all;
}

} // namespace wb::deepspeed
