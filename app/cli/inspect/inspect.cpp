// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/inspect/inspect.h"

#include "core/base/glob.h"
#include "app/cli/inspect/value_file.h"
#include "app/cli/open_model.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "app/cli/hub/remote_model.h"
#include "app/cli/inspect/tensor_hash.h"
#include "core/base/text.h"
#include "core/model/checkpoint.h"
#include "core/model/natural_order.h"
#include "core/formats/value_export.h"
#include "core/formats/zip/member_checksums.h"
#include "core/hub/repository.h"
#include "core/io/target.h"
#include "core/query/query.h"
#include "core/stats/series_statistics.h"
#include "core/stats/value_problems.h"
#include "gpu/compute/statistics.h"

#include <algorithm>
#include <set>

namespace wb::cli {
namespace {

constexpr int damaged = 4; // the exit status, as that of scan and of library verify

bool isDamaged(const Inspection& inspection) {
    const auto isError = [](const Problem& problem) { return problem.severity == Severity::Error; };
    return std::ranges::any_of(inspection.model->problems, isError) || std::ranges::any_of(inspection.problems, isError);
}

bool canMeasure(const TensorInfo& tensor) { return tensor.isReadable(); }

Result<std::optional<stats::TensorStats>> measure(const Context& context, stats::Backend& backend, const Model& model,
                                                  const TensorInfo& tensor, const InspectOptions& options) {
    if (!canMeasure(tensor)) return std::nullopt;
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    ProgressLine line(tensor.name, !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t bytes, std::uint64_t total) { line.set(bytes, total); }};
    const stats::Options wanted{options.bins, options.channels, context.threads};
    WB_TRY_ASSIGN(auto result, backend.compute(reader, wanted, progress));
    WB_TRY(reader.checkUnchanged());
    return std::optional(std::move(result));
}

query::Subject modelSubject(const Model& model, std::size_t index, const stats::TensorStats* known) {
    const TensorInfo& tensor = model.tensors[index];
    const std::string_view file = tensor.file() < model.files.size() ? std::string_view(model.files[tensor.file()].name) : "";
    return {tensor, model.architecture ? std::string_view(*model.architecture) : "", file, known};
}

// One entry for each of `indices`.
Result<std::vector<std::optional<stats::TensorStats>>> measureAll(const Context& context, stats::Backend& backend,
                                                                  const InspectOptions& options, const Model& model,
                                                                  const std::vector<std::size_t>& indices,
                                                                  std::vector<Problem>& problems) {
    std::vector<std::optional<stats::TensorStats>> all;
    for (const std::size_t index : indices) {
        auto result = measure(context, backend, model, model.tensors[index], options);
        if (!result) WB_TRY(stats::noteUnreadable(problems, model.tensors[index], model, result.error()));
        all.push_back(result ? std::move(*result) : std::nullopt);
    }
    return all;
}

// One entry for each chosen tensor; empty where its values cannot be read.
Result<void> addSpectra(const Context& context, Inspection& inspection) {
    for (const std::size_t index : inspection.chosen) {
        WB_TRY_ASSIGN(auto spectrum,
                      peft::adapterSpectrum(*inspection.model, inspection.model->tensors[index], {context.stop, {}}));
        if (spectrum) inspection.spectra.emplace(index, std::move(*spectrum));
    }
    return {};
}

// Of the chosen matrices; the others have none. Values that are not finite leave a problem.
Result<void> addMatrixSpectra(const Context& context, const InspectOptions& options, Inspection& inspection) {
    for (const std::size_t index : inspection.chosen) {
        const TensorInfo& tensor = inspection.model->tensors[index];
        if (!tensor.isReadable() || !stats::spectralMatrix(tensor.dtype, tensor.shape)) continue;
        ProgressLine line(tensor.name, !context.quiet);
        stats::SpectrumOptions wanted;
        wanted.isFast = options.spectra == Spectra::Fast;
        wanted.threads = context.threads;
        wanted.progress = {context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
        auto spectrum = stats::computeSpectrum(*inspection.model, tensor, wanted);
        if (spectrum) {
            inspection.matrices.emplace(index, *std::move(spectrum));
        } else if (spectrum.error().code == ErrorCode::Invalid) {
            inspection.problems.push_back(
                asProblem(Severity::Warning, spectrum.error().reason, toUtf8(tensor.name), spectrum.error()));
        } else {
            WB_TRY(stats::noteUnreadable(inspection.problems, tensor, *inspection.model, spectrum.error()));
        }
    }
    return {};
}

// Of a type without numbers the bytes as they are stored; null where they are not one run.
std::optional<TensorInfo> asBytes(const TensorInfo& tensor) {
    const auto shape = Shape::make({tensor.bytes()});
    if (tensor.dtype != Dtype::Unknown || tensor.source.form() != TensorSource::Form::Stored || !shape) return std::nullopt;
    TensorInfo bytes = tensor;
    bytes.dtype = Dtype::U8;
    bytes.shape = *shape;
    return bytes;
}

Result<std::string> contextHash(const Context& context, const Model& model, const TensorInfo& tensor) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    ProgressLine line(tensor.name, !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
    WB_TRY_ASSIGN(std::string hash, hashOfValues(reader, progress));
    WB_TRY(reader.checkUnchanged());
    return hash;
}

Result<void> hashAll(const Context& context, Inspection& inspection) {
    for (const std::size_t index : inspection.chosen) {
        const TensorInfo& tensor = inspection.model->tensors[index];
        auto& known = inspection.hashes.emplace_back();
        const auto bytes = asBytes(tensor);
        if (!tensor.isReadable() && !bytes) continue;
        const auto hash = contextHash(context, *inspection.model, bytes ? *bytes : tensor);
        if (hash) known = *hash;
        else WB_TRY(stats::noteUnreadable(inspection.problems, tensor, *inspection.model, hash.error()));
    }
    return {};
}

// What went wrong on a device, each thing once.
std::vector<Problem> deviceProblems(const Inspection& inspection) {
    std::vector<Problem> problems;
    for (const auto& one : inspection.statistics) {
        if (!one || !one->deviceNote || one->deviceNote->severity == Severity::Note) continue;
        const auto isIt = [&](const Problem& known) {
            return known.code == one->deviceNote->code && known.arguments == one->deviceNote->arguments;
        };
        if (std::ranges::none_of(problems, isIt)) problems.push_back(*one->deviceNote);
    }
    return problems;
}

bool matchesAny(const std::vector<std::string>& globs, const std::string& name) {
    return globs.empty() ||
           std::ranges::any_of(globs, [&](const std::string& glob) { return glob == name || globMatches(glob, name); });
}

// Indices in the model's order; a name or pattern that matches nothing is an Error, because it is most likely mistyped.
Result<std::vector<std::size_t>> tensorsByName(const Model& model, const InspectOptions& options) {
    for (const std::string& glob : options.tensorGlobs)
        if (std::ranges::none_of(model.tensors, [&](const TensorInfo& tensor) { return matchesAny({glob}, tensor.name); }))
            return fail(ErrorCode::Invalid, Reason("cli.no_tensor"), About{baseName(options.path)},
                        WB_TEXT("{} has no tensor named {}; run wb inspect to list the names."), options.path, glob);
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (matchesAny(options.tensorGlobs, model.tensors[i].name)) indices.push_back(i);
    return indices;
}

// For people: layer 2 before layer 10. The document keeps the order of the file.
void sortNaturally(const Model& model, std::vector<std::size_t>& indices) {
    const auto ranks = naturalRanks(model.tensors);
    std::ranges::sort(indices, {}, [&ranks](std::size_t index) { return ranks[index]; });
}

bool measures(const InspectOptions& options, const query::Query& filter) {
    return options.statistics || options.channels || filter.needsStatistics();
}

// A filter that does not ask for statistics goes first, so that only shown tensors are measured.
Result<Inspection> run(const Context& context, const InspectOptions& options, const query::Query& filter, ModelPtr opened,
                       const gpu::compute::ComputeDevice& device) {
    Inspection inspection;
    inspection.model = std::move(opened);
    const Model& model = *inspection.model;
    WB_TRY_ASSIGN(auto candidates, tensorsByName(model, options));
    if (!context.json && isOrderedByName(model)) sortNaturally(model, candidates);
    if (!filter.needsStatistics())
        std::erase_if(candidates, [&](std::size_t i) { return !filter.matches(modelSubject(model, i, nullptr)); });
    if (!measures(options, filter)) {
        inspection.chosen = std::move(candidates);
        return inspection;
    }
    const auto backend = gpu::compute::makeStatistics(device);
    WB_TRY_ASSIGN(auto statistics, measureAll(context, *backend, options, model, candidates, inspection.problems));
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        const stats::TensorStats* known = statistics[k] ? &*statistics[k] : nullptr;
        if (!filter.matches(modelSubject(model, candidates[k], known))) continue;
        inspection.chosen.push_back(candidates[k]);
        inspection.statistics.push_back(std::move(statistics[k]));
    }
    for (std::size_t k = 0; k < inspection.chosen.size(); ++k)
        if (const auto& known = inspection.statistics[k])
            std::ranges::move(stats::valueProblems(model, model.tensors[inspection.chosen[k]], *known),
                              std::back_inserter(inspection.problems));
    std::ranges::move(deviceProblems(inspection), std::back_inserter(inspection.problems));
    return inspection;
}

Result<void> addSeries(const Context& context, const InspectOptions& options, const gpu::compute::ComputeDevice& device,
                       Inspection& inspection) {
    if (!inspection.model->series)
        return fail(ErrorCode::Invalid, Reason("cli.no_series"), About{baseName(options.path)},
                    WB_TEXT("{} is not a folder of checkpoints; --series compares those of one training run."), options.path);
    const auto backend = gpu::compute::makeStatistics(device);
    std::optional<ProgressLine> line; // of the tensor being measured
    stats::SeriesOptions wanted;
    for (const std::size_t index : inspection.chosen) wanted.names.insert(inspection.model->tensors[index].name);
    wanted.statistics = {options.bins, options.channels, context.threads};
    wanted.open = [&](const std::filesystem::path& path) {
        return openModel(context, io::pathText(path), formats::Strictness::Lenient);
    };
    wanted.progress = [&](const TensorInfo& tensor) {
        line.emplace(tensor.name, !context.quiet);
        return Progress{context.stop, [&line](std::uint64_t bytes, std::uint64_t total) { line->set(bytes, total); }};
    };
    for (const SeriesEntry& entry : *inspection.model->series) {
        WB_TRY_ASSIGN(auto measured,
                      stats::measureCheckpoint(inspection.model->folder, entry, *backend, wanted, inspection.problems));
        inspection.series.push_back(std::move(measured));
    }
    return {};
}

// Of members that are read completely anyway.
Result<void> compareChecksums(const Context& context, Inspection& inspection) {
    ProgressLine line("checksums", !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
    WB_TRY_ASSIGN(auto differences, zip::compareChecksums(*inspection.model, inspection.chosen, progress));
    std::ranges::move(differences, std::back_inserter(inspection.problems));
    return {};
}

// Of a stored and a logical tensor of one name the logical one is meant.
std::vector<std::size_t> exportedTensors(const Inspection& inspection) {
    const auto& tensors = inspection.model->tensors;
    std::set<std::string_view> logical;
    for (const std::size_t index : inspection.chosen)
        if (tensors[index].logical) logical.insert(tensors[index].name);
    std::vector<std::size_t> exported;
    for (const std::size_t index : inspection.chosen)
        if (tensors[index].logical || !logical.contains(tensors[index].name)) exported.push_back(index);
    return exported;
}

// A path that exists is a path, whatever it looks like.
Result<ModelPtr> openWanted(const Context& context, const InspectOptions& options, const query::Query& filter) {
    const std::filesystem::path path(options.path);
    if (!hub::isRemoteId(options.path) || io::isTaken(path)) return openModel(context, options.path, formats::Strictness::Lenient);
    if (measures(options, filter) || options.hashes || options.spectra || !options.exportFile.empty())
        return fail(ErrorCode::Unsupported, Reason("cli.remote_values"), About{options.path},
                    WB_TEXT("{} is on a hub, where only its header is read; download it first to see its values."), options.path);
    return openRemote(context, options.path);
}

// An .npy file if the output is stdout.
std::optional<formats::ValueForm> exportForm(const InspectOptions& options) {
    return formats::valueFormForPath(options.exportFile == stdoutWord ? std::filesystem::path("stdout.npy")
                                                                      : std::filesystem::path(options.exportFile));
}

int inspect(const Context& context, const InspectOptions& options) {
    const auto filter = query::parse(options.filter);
    if (!filter) return refuseUsage(filter.error().message());
    if (options.series && !options.statistics) return refuseUsage("--series compares statistics; add --stats.");
    const auto form = exportForm(options);
    if (!options.exportFile.empty() && !form)
        return refuseUsage("--export writes files that end in .npy, .csv, .npz or .safetensors, not " + options.exportFile + ".");
    auto model = openWanted(context, options, *filter);
    if (!model) return refuse(context, model.error(), options.path);
    if (const auto opened = openLog(context); !opened) return refuse(context, opened.error());
    const gpu::compute::ComputeDevice device(context.device);
    if (measures(options, *filter))
        if (const auto required = device.requireNamed(); !required) return refuse(context, required.error(), deviceOption(context));
    auto inspection = run(context, options, *filter, std::move(*model), device);
    if (!inspection) return refuse(context, inspection.error(), options.path);
    if (options.series)
        if (const auto added = addSeries(context, options, device, *inspection); !added)
            return refuse(context, added.error(), options.path);
    if (options.statistics)
        if (const auto added = addSpectra(context, *inspection); !added) return refuse(context, added.error(), options.path);
    if (options.spectra)
        if (const auto added = addMatrixSpectra(context, options, *inspection); !added)
            return refuse(context, added.error(), options.path);
    if (options.hashes)
        if (const auto hashed = hashAll(context, *inspection); !hashed) return refuse(context, hashed.error(), options.path);
    if (measures(options, *filter) || options.hashes || !options.exportFile.empty())
        if (const auto compared = compareChecksums(context, *inspection); !compared)
            return refuse(context, compared.error(), options.path);
    logProblems(context, inspection->model->problems);
    logProblems(context, inspection->problems);
    if (!options.exportFile.empty()) {
        const auto exported = exportedTensors(*inspection);
        if (exported.size() > 1 && !formats::holdsSeveral(*form))
            return refuseUsage(
                "--export writes one tensor to this kind of file; name one with --tensor, or write .npz or .safetensors.");
        const OutputFile file(options.exportFile, ".npy");
        auto written = exportValues(context, *inspection->model, exported, file.path().string());
        if (written) written = file.finish();
        if (!written) return refuse(context, written.error(), options.path);
    }
    if (context.json) printInspectionJson(*inspection, options);
    else if (!context.files->usesStdout()) printInspectionTables(*inspection, options, context.quiet);
    return options.tellsDamage && isDamaged(*inspection) ? damaged : done;
}

} // namespace

Command addInspect(CLI::App& program) {
    auto options = std::make_shared<InspectOptions>();
    CLI::App* command = program.add_subcommand("inspect", "Show the contents of a model file or folder");
    command->add_option("PATH", options->path, "Model file, index.json, model folder, or hub ID: hf:owner/name[@rev][:file], ms:…")
        ->required();
    addRepeated(*command, "--tensor", options->tensorGlobs, "Only tensors whose name matches this name or pattern (repeatable)")
        ->type_name("NAME");
    command
        ->add_option("--filter", options->filter,
                     "Only tensors that match this query, for example 'dtype:bf16 size:>10M name:attn'")
        ->type_name("QUERY");
    command->add_flag("--stats", options->statistics, "Compute statistics over every element");
    command->add_flag("--series", options->series,
                      "With --stats: also in every checkpoint of a folder of checkpoints, to follow a tensor over the training");
    command->add_flag("--sha256", options->hashes, "Print the SHA-256 of each tensor's values as stored");
    const std::vector<std::pair<std::string, Spectra>> spectra = {{"full", Spectra::Full}, {"fast", Spectra::Fast}};
    addChoice(*command, "--spectral", options->spectra, spectra,
              "Singular values of matrices, ranks and power-law alpha; fast: the largest 256 of large matrices")
        ->type_name("full|fast");
    command->add_option("--bins", options->bins, "Number of histogram bins (default: 256)")
        ->type_name("N")
        ->check(CLI::Range(1u, 65536u));
    const std::vector<std::pair<std::string, stats::Axis>> axes = {{"row", stats::Axis::Row}, {"column", stats::Axis::Column}};
    addChoice(*command, "--channels", options->channels, axes, "Print max abs and RMS of every row or column")
        ->type_name("row|column");
    command
        ->add_option("--export", options->exportFile, "Write the chosen tensor as .npy or .csv, or several as .npz or .safetensors")
        ->type_name("FILE");
    command->add_flag("--exit-code", options->tellsDamage, "Exit with status 4 if the file is corrupted (truncated or incomplete)");
    return {command,
            [options](const Context& context) { return inspect(context, *options); },
            {.reads = {"PATH"}, .writes = {"--export"}},
            false,
            {{&options->path, [](const std::string& word) { return hub::isRemoteId(word); }}}};
}

} // namespace wb::cli
