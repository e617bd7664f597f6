// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_run.h"

#include "core/convert/source/fingerprint.h"
#include "core/convert/weights/weights_item.h"

#include <algorithm>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

CastWork castWork(const WeightsPlan& plan) {
    CastWork work;
    work.workerBytes = usualItemElements * (sizeof(float) + sizeof(double));
    for (std::uint32_t t = 0; t < plan.tensors.size(); ++t) {
        const PlannedWeight& weight = plan.tensors[t];
        const std::uint64_t elements = weight.shape.elements();
        work.tensors.push_back(
            {weight.name, weight.to, elements, static_cast<std::uint32_t>(plan.texts.size() + weight.file), weight.offset});
        for (std::uint64_t first = 0; first < elements; first += usualItemElements)
            work.items.push_back({t, first, std::min(usualItemElements, elements - first)});
    }
    return work;
}

// The same, ready to compute. Refers to the plan.
Result<CastWork> openWork(const WeightsPlan& plan) {
    CastWork work = castWork(plan);
    WB_TRY_ASSIGN(auto inputs, TensorInputs::open(*plan.model, plan.model->tensors));
    for (const PlannedWeight& weight : plan.tensors) {
        const TensorInfo* const source = &plan.model->tensors[weight.source];
        WB_TRY(inputs->add(std::span(&source, 1)));
    }
    work.inputs = inputs;
    work.compute = [&plan, inputs](const WorkItem& item, std::span<std::byte> bytes, ItemBuffers& buffers) -> Result<CastLoss> {
        const PlannedWeight& weight = plan.tensors[item.tensor];
        WB_TRY_ASSIGN(CastLoss loss,
                      castElements(inputs->first(item.tensor), item.first, item.elements, weight.to, bytes, buffers));
        const bool isComputed = plan.model->tensors[weight.source].source.form() == TensorSource::Form::Recipe;
        if (isComputed) loss.notFinite = countNotFinite(weight.to, bytes);
        return loss;
    };
    return work;
}

// Whether the file starts with the planned header.
Result<bool> isAsPlanned(const WeightsFile& file, const io::ByteSource& written) {
    std::string header(file.header.size(), '\0');
    WB_TRY(written.readAt(0, std::as_writable_bytes(std::span(header))));
    return header == file.header;
}

run::OutputPlan outputPlan(const WeightsPlan& plan, const fs::path& target) {
    run::OutputPlan output{target, {"convert", 0, {}}, {}, {}, plan.sources};
    const auto paths = plan.paths(target);
    for (std::size_t i = 0; i < plan.texts.size(); ++i)
        output.files.push_back({paths[i], plan.texts[i].text, plan.texts[i].text.size(), {}});
    for (std::size_t i = 0; i < plan.weights.size(); ++i)
        output.files.push_back({paths[plan.texts.size() + i], plan.weights[i].header, plan.weights[i].bytes,
                                [&file = plan.weights[i]](const io::ByteSource& written) { return isAsPlanned(file, written); }});
    return output;
}

// Makes the folder of a run, and takes it away again where nothing came of it.
class TargetFolder {
public:
    static Result<TargetFolder> make(const WeightsPlan& plan, const fs::path& target) {
        TargetFolder folder;
        if (!plan.isFolder) return folder;
        std::error_code error;
        if (fs::create_directory(target, error)) folder.m_made = target;
        if (error || !fs::is_directory(target, error))
            return fail(ErrorCode::NotWritable, Reason("convert.target_folder"), About{io::baseName(target)},
                        WB_TEXT("Cannot create the folder {}; choose another location or name."), io::baseName(target));
        return folder;
    }

    void keep() { m_made.clear(); }
    TargetFolder(TargetFolder&& other) noexcept : m_made(std::exchange(other.m_made, {})) {}
    TargetFolder& operator=(TargetFolder&&) = delete;
    ~TargetFolder() {
        std::error_code ignored;
        if (!m_made.empty()) fs::remove(m_made, ignored); // fails where work is in it
    }

private:
    TargetFolder() = default;
    fs::path m_made;
};

} // namespace

// Headers and texts hold names, types, shapes and places; the scheme of a tensor tells how its values are made.
Result<std::string> planFingerprint(const WeightsPlan& plan) {
    Fingerprint fingerprint;
    for (const WeightsFile& file : plan.weights) fingerprint.add(file.header);
    for (const TextFile& file : plan.texts) fingerprint.add(fmt::format("{}\n{}\n", file.name, file.text));
    fingerprint.add(plan.model->files);
    for (const PlannedWeight& weight : plan.tensors) {
        const TensorInfo& tensor = plan.model->tensors[weight.source];
        fingerprint.add(fmt::format("{} {} {} {}", weight.name, tensor.file(), tensor.offset().value_or(0), name(tensor.dtype)));
        for (const std::string& source : weight.sources) fingerprint.add(" " + source);
        for (const std::string& transform : weight.transforms) fingerprint.add(" " + transform);
        fingerprint.add("\n");
    }
    return fingerprint.finish();
}

std::uint64_t peakMemory(const WeightsPlan& plan, unsigned threads) {
    std::uint64_t bytes = peakMemory(castWork(plan), threads);
    for (const WeightsFile& file : plan.weights) bytes += file.header.size() * 2; // as planned, and as read back for the check
    for (const TextFile& file : plan.texts) bytes += file.text.size();
    return bytes;
}

Result<double> estimateSeconds(const WeightsPlan& plan, unsigned threads, const std::stop_token& stop) {
    WB_TRY_ASSIGN(const CastWork work, openWork(plan));
    return estimateSeconds(work, threads, stop);
}

Result<Outcome> runWeights(const WeightsPlan& plan, const fs::path& target, const run::RunOptions& options,
                           const Progress& progress) {
    WB_TRY_ASSIGN(const CastWork work, openWork(plan));
    run::OutputPlan output = outputPlan(plan, target);
    WB_TRY_ASSIGN(output.job.fingerprint, planFingerprint(plan));
    WB_TRY_ASSIGN(TargetFolder folder, TargetFolder::make(plan, target));
    auto outcome = runCast(work, std::move(output), options, progress);
    if (outcome) folder.keep();
    return outcome;
}

} // namespace wb::convert
