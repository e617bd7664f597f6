// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_output.h"

#include "core/convert/source/fingerprint.h"
#include "core/formats/gguf/part.h"

#include <algorithm>

namespace wb::quantize {
namespace {

Result<std::string> planFingerprint(const QuantizePlan& plan) {
    convert::Fingerprint fingerprint;
    for (const PlannedFile& file : plan.files) fingerprint.add(file.header);
    fingerprint.add(plan.model->files);
    if (plan.matrix) fingerprint.add({}, plan.matrix->identity); // the headers hold the name it was given by
    for (const PlannedTensor& tensor : plan.tensors) {
        const TensorInfo& source = plan.model->tensors[tensor.source]; // of another layer, where some are omitted
        fingerprint.add(fmt::format("{} {} {} {}\n", source.file(), source.offset().value_or(0), tensor.weights.size(),
                                    tensor.weights.place()));
    }
    fingerprint.add(fmt::format("{}", itemElements(plan)));
    return fingerprint.finish();
}

// Whether the file reads back strictly with the planned tensors in their places.
Result<bool> isAsPlanned(const QuantizePlan& plan, std::uint32_t file, const io::ByteSource& written) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const gguf::GgufPart part, gguf::readPart(written, written.name(), options));
    std::vector<const PlannedTensor*> planned;
    for (const PlannedTensor& tensor : plan.tensors)
        if (tensor.file == file) planned.push_back(&tensor);
    return std::ranges::equal(part.tensors, planned, [](const TensorInfo& tensor, const PlannedTensor* wanted) {
        return tensor.dtype == wanted->to && tensor.offset() == wanted->offset && tensor.bytes() == wanted->bytes;
    });
}

run::Item outputItem(const QuantizePlan& plan, const WorkItem& item) {
    const PlannedTensor& tensor = plan.tensors[item.tensor];
    return {tensor.file, tensor.offset + *rowBytes(tensor.to, item.first), *rowBytes(tensor.to, item.elements()), item.elements()};
}

} // namespace

std::vector<run::SourceFile> sourceFiles(const QuantizePlan& plan) {
    std::vector<run::SourceFile> sources;
    for (const ModelFile& file : plan.whole->files) sources.push_back({file.name, file.identity});
    if (plan.matrix) sources.push_back({io::baseName(plan.matrix->file), plan.matrix->identity});
    return sources;
}

Result<run::JobId> planJobId(const QuantizePlan& plan) {
    WB_TRY_ASSIGN(std::string fingerprint, planFingerprint(plan));
    return run::JobId{"quantize", workItems(plan, itemElements(plan)).size(), std::move(fingerprint)};
}

std::vector<run::Item> outputItems(const QuantizePlan& plan, std::span<const WorkItem> items) {
    std::vector<run::Item> outputs;
    for (const WorkItem& item : items) outputs.push_back(outputItem(plan, item));
    return outputs;
}

Result<run::OutputPlan> outputPlan(const QuantizePlan& plan, std::span<const WorkItem> items, const std::filesystem::path& target) {
    run::OutputPlan output{target, {}, {}, outputItems(plan, items), sourceFiles(plan)};
    WB_TRY_ASSIGN(output.job, planJobId(plan));
    const auto paths = targetPaths(plan, target);
    for (std::uint32_t i = 0; i < plan.files.size(); ++i)
        output.files.push_back({paths[i], plan.files[i].header, plan.files[i].bytes,
                                [&plan, i](const io::ByteSource& written) { return isAsPlanned(plan, i, written); }});
    return output;
}

} // namespace wb::quantize
