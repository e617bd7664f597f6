// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_output.h"

#include "core/formats/gguf/part.h"
#include "core/io/sha256.h"

#include <algorithm>

namespace wb::quantize {
namespace {

void update(io::Sha256& hash, const auto& values) { hash.update(std::as_bytes(std::span(values))); }

// What a restart and a renamed folder leave as it is: systems number their devices anew at a start or a mount. Where the file
// system gives files no numbers, only the name tells them apart.
std::string sourceText(std::string_view name, const io::Identity& id) {
    return fmt::format("{} {} {} {}\n", id.inode == 0 ? name : "", id.inode, id.bytes, id.modifiedNs);
}

Result<std::string> fingerprintOf(const QuantizePlan& plan) {
    io::Sha256 hash;
    for (const PlannedFile& file : plan.files) update(hash, file.header);
    for (const ModelFile& file : plan.model->files) update(hash, sourceText(file.name, file.identity));
    if (plan.matrix) update(hash, sourceText({}, plan.matrix->identity)); // the headers hold the name it was given by
    for (const PlannedTensor& tensor : plan.tensors) {
        const TensorInfo& source = plan.model->tensors[tensor.source]; // of another layer, where some are left out
        update(hash, fmt::format("{} {} {} {}\n", source.file(), source.offset().value_or(0), tensor.weights.size(),
                                 tensor.weights.place()));
    }
    update(hash, fmt::format("{}", itemElements(plan)));
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

// Whether the file reads back strictly with the planned tensors in their places.
Result<bool> isAsPlanned(const QuantizePlan& plan, std::uint32_t file, const io::ByteSource& written) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const gguf::Part part, gguf::readPart(written, written.name(), options));
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

Result<run::JobId> jobIdOf(const QuantizePlan& plan) {
    WB_TRY_ASSIGN(std::string fingerprint, fingerprintOf(plan));
    return run::JobId{"quantize", workItems(plan, itemElements(plan)).size(), std::move(fingerprint)};
}

std::vector<run::Item> outputItems(const QuantizePlan& plan, std::span<const WorkItem> items) {
    std::vector<run::Item> outputs;
    for (const WorkItem& item : items) outputs.push_back(outputItem(plan, item));
    return outputs;
}

Result<run::OutputPlan> outputPlan(const QuantizePlan& plan, std::span<const WorkItem> items, const std::filesystem::path& target) {
    run::OutputPlan output{target, {}, {}, outputItems(plan, items), sourceFiles(plan)};
    WB_TRY_ASSIGN(output.job, jobIdOf(plan));
    const auto paths = targetPaths(plan, target);
    for (std::uint32_t i = 0; i < plan.files.size(); ++i)
        output.files.push_back({paths[i], plan.files[i].header, plan.files[i].bytes,
                                [&plan, i](const io::ByteSource& written) { return isAsPlanned(plan, i, written); }});
    return output;
}

} // namespace wb::quantize
