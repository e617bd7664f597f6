// SPDX-License-Identifier: MIT
#include "core/formats/torch/forms.h"
#include "core/formats/torch/recipes.h"
#include "core/formats/zip/zip.h"
#include "core/worker/model_wire.h"

#include <algorithm>

namespace wb::torch {
namespace {

constexpr const char* taskName = "torch.open";

std::string_view bytesText(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Result<void> loadForm(Reading& reading) {
    std::vector<std::byte> head(std::min<std::uint64_t>(reading.source->size(), 512));
    WB_TRY(reading.source->readAt(0, head));
    if (zip::sniff(head)) return loadArchive(reading);
    if (sniffLegacy(head)) return loadLegacy(reading);
    if (bytesText(head).size() > 262 && bytesText(head).substr(257, 5) == "ustar") return loadTar(reading);
    return loadArchive(reading); // something may stand before the archive
}

// Strict opening refuses what is damaged, lenient opening what leaves nothing to show.
Result<void> refuseDamage(const Model& model, const formats::OpenOptions& options) {
    const bool isStrict = options.strictness == formats::Strictness::Strict;
    for (const Problem& problem : model.problems) {
        const bool isBroken = problem.code == Reason("torch.pickle_broken") && model.tensors.empty();
        if (problem.severity == Severity::Error && (isStrict || isBroken))
            return std::unexpected(asError(ErrorCode::Malformed, problem));
    }
    return {};
}

// The options of the task. The limits are those of the program.
std::vector<std::byte> writeRequest(const formats::OpenOptions& options) {
    worker::WireWriter out;
    out.flag(options.strictness == formats::Strictness::Strict);
    return out.take();
}

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    formats::OpenOptions options;
    worker::WireReader in(input.request);
    options.strictness = in.flag() ? formats::Strictness::Strict : formats::Strictness::Lenient;
    options.progress = input.progress;
    if (!in.good() || input.sources.size() != 1)
        return fail(ErrorCode::Internal, Reason("torch.request"), WB_TEXT("Internal error: no file was given to read."));
    WB_TRY_ASSIGN(const Model model, load(input.sources[0], options));
    worker::WireWriter out;
    WB_TRY(worker::writeModel(out, model, recipeWire()));
    return out.take();
}

Result<Model> askWorker(const std::shared_ptr<io::ByteSource>& source, const formats::OpenOptions& options) {
    const worker::Request request{taskName, source->name(), writeRequest(options), {source}};
    WB_TRY_ASSIGN(const auto reply, worker::run(request, options.progress));
    worker::WireReader in(reply);
    auto model = worker::readModel(in, 1, recipeWire());
    if (!model || !in.atEnd()) return worker::garbledModel(source->name());
    return std::move(*model);
}

} // namespace

bool sniffLegacy(std::span<const std::byte> head) {
    using namespace std::string_view_literals;
    // The magic number in the words of each protocol: a decimal line, LONG1 behind PROTO, or behind PROTO and FRAME.
    const std::string_view text = bytesText(head);
    constexpr std::string_view number = "\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv;
    constexpr std::size_t proto = 2, frame = 9;
    if (text.starts_with("L119547037146038801333356L\n."sv)) return true;
    if (text.size() < proto + frame || text[0] != '\x80') return false;
    return text.substr(proto).starts_with(number) || (text[proto] == '\x95' && text.substr(proto + frame).starts_with(number));
}

bool isArchive(const std::vector<std::string>& memberNames) {
    return std::ranges::any_of(memberNames, [](const std::string& name) {
        return name == "data.pkl" || name.ends_with("/data.pkl") || name.ends_with("/archive_format") ||
               name == "serialized_exported_program.json";
    });
}

Result<Model> load(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options, const VisitObject& visit) {
    formats::Findings findings(source->name(), options.strictness);
    Model model;
    Danger danger;
    Reading reading{source, options, findings, model, danger, visit};
    WB_TRY(loadForm(reading));
    model.problems = findings.take();
    for (Problem problem : model.problems) {
        const bool isAttack = problem.code == Reason("zip.overlap") || problem.code == Reason("path.traversal");
        if (!isAttack && !std::string_view(problem.code).starts_with("zip.")) continue;
        if (!isAttack && problem.severity == Severity::Error) problem.severity = Severity::Warning; // damage is no attack
        danger.findings.push_back({std::move(problem), ""});
    }
    sortProblems(model.problems);
    WB_TRY(refuseDamage(model, options));
    model.danger = std::make_shared<const Danger>(std::move(danger));
    return model;
}

worker::WorkerTask openTask() { return {taskName, runTask}; }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Model model, askWorker(source, options));
    model.path = path;
    model.folder = path.parent_path();
    model.files.push_back(namedFile(path, source));
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, askWorker(source, options));
    model.files.push_back({source->name(), source->size(), {}, std::move(source)});
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::torch
