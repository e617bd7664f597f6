// SPDX-License-Identifier: MIT
#include "core/convert/gguf/convert_run.h"

#include "core/convert/gguf/convert_item.h"
#include "core/convert/source/fingerprint.h"
#include "core/formats/gguf/part.h"

#include <algorithm>

namespace wb::convert {
namespace {

CastWork castWork(const ConvertPlan& plan) {
    CastWork work;
    for (const PlannedTensor& tensor : plan.tensors)
        work.tensors.push_back({tensor.name, tensor.to, tensor.shape.elements(), 0, tensor.offset});
    work.items = workItems(plan.tensors);
    work.workerBytes = bufferBytes(work.items);
    return work;
}

// Whether the file reads back strictly with the planned tensors in their places.
Result<bool> isAsPlanned(const ConvertPlan& plan, const io::ByteSource& written) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const gguf::GgufPart part, gguf::readPart(written, written.name(), options));
    return std::ranges::equal(part.tensors, plan.tensors, [](const TensorInfo& tensor, const PlannedTensor& wanted) {
        return tensor.name == wanted.name && tensor.dtype == wanted.to && tensor.offset() == wanted.offset &&
               tensor.bytes() == wanted.bytes;
    });
}

} // namespace

// The header contains the small files.
Result<std::string> planFingerprint(const ConvertPlan& plan) {
    Fingerprint fingerprint;
    fingerprint.add(plan.header);
    fingerprint.add(plan.folder.model->files);
    for (const PlannedTensor& tensor : plan.tensors) {
        fingerprint.add(fmt::format("{} {} {}", transformName(tensor.transform), tensor.heads, tensor.sources.size()));
        for (const std::size_t source : tensor.sources) {
            const TensorInfo& stored = plan.folder.model->tensors[source];
            fingerprint.add(fmt::format(" {} {} {}", stored.file(), stored.offset().value_or(0), name(stored.dtype)));
            if (stored.details) fingerprint.add(" " + stored.details->scheme); // how it is computed
        }
        fingerprint.add("\n");
    }
    return fingerprint.finish();
}

std::uint64_t peakMemory(const ConvertPlan& plan, unsigned threads) {
    return peakMemory(castWork(plan), threads) + 2 * plan.header.size(); // as planned, and as read back for the check
}

Result<Outcome> runConvert(const ConvertPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                           const Progress& progress) {
    CastWork work = castWork(plan);
    WB_TRY_ASSIGN(work.inputs, openInputs(plan));
    work.compute = [&](const WorkItem& item, std::span<std::byte> bytes, ItemBuffers& buffers) -> Result<CastLoss> {
        WB_TRY_ASSIGN(const std::uint64_t overflows,
                      convertItem(plan.tensors[item.tensor], item, work.inputs->of(item.tensor), bytes, buffers));
        return CastLoss{overflows};
    };
    run::OutputPlan output{target, {"convert", 0, {}}, {}, {}, plan.folder.files};
    WB_TRY_ASSIGN(output.job.fingerprint, planFingerprint(plan));
    output.files.push_back(
        {target, plan.header, plan.fileBytes, [&plan](const io::ByteSource& written) { return isAsPlanned(plan, written); }});
    return runCast(work, std::move(output), options, progress);
}

} // namespace wb::convert
