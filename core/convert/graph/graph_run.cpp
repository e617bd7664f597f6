// SPDX-License-Identifier: MIT
#include "core/convert/graph/graph_run.h"

#include "core/convert/source/fingerprint.h"
#include "core/convert/weights/weights_item.h"
#include "core/formats/onnx/onnx.h"

#include <algorithm>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t copiedBytes = 4 << 20; // at a time

CastWork castWork(const GraphPlan& plan) {
    CastWork work;
    work.workerBytes = usualItemElements * (sizeof(float) + sizeof(double));
    for (std::uint32_t s = 0; s < plan.segments.size(); ++s) {
        const GraphSegment& segment = plan.segments[s];
        work.tensors.push_back({segment.name, segment.to, segment.elements, segment.file, segment.offset});
        const std::uint64_t step = segment.source ? usualItemElements : copiedBytes;
        for (std::uint64_t first = 0; first < segment.elements; first += step)
            work.items.push_back({s, first, std::min(step, segment.elements - first)});
    }
    return work;
}

// The same, ready to compute. Refers to the plan.
Result<CastWork> openWork(const GraphPlan& plan) {
    CastWork work = castWork(plan);
    WB_TRY_ASSIGN(auto inputs, TensorInputs::open(*plan.weights, plan.weights->tensors));
    std::vector<std::size_t> readers(plan.segments.size());
    std::size_t count = 0;
    for (std::size_t s = 0; s < plan.segments.size(); ++s) {
        if (!plan.segments[s].source) continue;
        const TensorInfo* const source = &plan.weights->tensors[*plan.segments[s].source];
        WB_TRY(inputs->add(std::span(&source, 1)));
        readers[s] = count++;
    }
    std::vector<std::shared_ptr<io::ByteSource>> files;
    for (const GraphFile& file : plan.files) {
        WB_TRY_ASSIGN(auto opened, openFile(*plan.graph, static_cast<std::uint32_t>(file.file)));
        files.push_back(std::move(opened));
    }
    work.inputs = inputs;
    work.compute = [&plan, inputs, readers = std::move(readers), files = std::move(files)](
                       const WorkItem& item, std::span<std::byte> bytes, ItemBuffers& buffers) -> Result<CastLoss> {
        const GraphSegment& segment = plan.segments[item.tensor];
        if (segment.source)
            return castElements(inputs->first(readers[item.tensor]), item.first, item.elements, segment.to, bytes, buffers);
        WB_TRY(files[segment.file]->readAt(segment.offset + item.first, bytes));
        return CastLoss{};
    };
    return work;
}

// Lists cannot be replaced, because their length depends on the values; they are small (onnx::maxCopied).
Result<void> compareListed(const GraphPlan& plan) {
    for (const ListedTensor& listed : plan.listed) {
        const TensorInfo &own = plan.graph->tensors[listed.graph], &values = plan.weights->tensors[listed.weights];
        WB_TRY_ASSIGN(const TensorReader before, TensorReader::open(*plan.graph, own));
        WB_TRY_ASSIGN(const TensorReader after, TensorReader::open(*plan.weights, values));
        std::vector<std::byte> old(before.byteCount(before.elements())), wanted(after.byteCount(after.elements()));
        WB_TRY(before.readRaw(0, before.elements(), old));
        WB_TRY(after.readRaw(0, after.elements(), wanted));
        if (old == wanted) continue;
        return fail(ErrorCode::Unsupported, Reason("graph.list"), About{own.name},
                    WB_TEXT("{} is stored as a list of numbers in {} and cannot get other values; save the graph with raw data "
                            "first."),
                    own.name, io::baseName(plan.graph->path));
    }
    return {};
}

run::OutputPlan outputPlan(const GraphPlan& plan, const fs::path& target) {
    run::OutputPlan output{target, {"convert", 0, {}}, {}, {}, plan.sources()};
    const auto paths = plan.paths(target);
    for (std::size_t i = 0; i < plan.files.size(); ++i) output.files.push_back({paths[i], {}, plan.files[i].bytes, {}});
    for (run::PlannedFile& file : output.files)
        file.isAsPlanned = [](const io::ByteSource&) -> Result<bool> { return true; }; // every byte has its place in the source
    output.files.front().isAsPlanned = [](const io::ByteSource& written) -> Result<bool> { return onnx::sniff(written); };
    return output;
}

// The folders that external data need; those that were made are removed if nothing comes into them.
class DataFolders {
public:
    Result<void> make(std::span<const fs::path> paths) {
        for (const fs::path& path : paths) {
            const fs::path folder = path.parent_path();
            std::error_code error;
            if (folder.empty() || fs::is_directory(folder, error)) continue;
            if (!fs::create_directories(folder, error))
                return fail(ErrorCode::NotWritable, Reason("convert.target_folder"), About{io::baseName(folder)},
                            WB_TEXT("Cannot create the folder {}; choose another location or name."), io::baseName(folder));
            m_made.push_back(folder);
        }
        return {};
    }

    ~DataFolders() {
        std::error_code ignored;
        for (const fs::path& folder : m_made) fs::remove(folder, ignored); // fails where files are in it
    }

private:
    std::vector<fs::path> m_made;
};

} // namespace

Result<std::string> planFingerprint(const GraphPlan& plan) {
    Fingerprint fingerprint;
    fingerprint.add(plan.graph->files);
    fingerprint.add(plan.weights->files);
    for (const GraphSegment& segment : plan.segments)
        if (segment.source)
            fingerprint.add(fmt::format("{} {} {} {}\n", segment.file, segment.offset, segment.bytes, *segment.source));
    return fingerprint.finish();
}

std::uint64_t peakMemory(const GraphPlan& plan, unsigned threads) { return peakMemory(castWork(plan), threads); }

Result<Outcome> runGraph(const GraphPlan& plan, const fs::path& target, const run::RunOptions& options, const Progress& progress) {
    WB_TRY(compareListed(plan));
    WB_TRY_ASSIGN(const CastWork work, openWork(plan));
    run::OutputPlan output = outputPlan(plan, target);
    WB_TRY_ASSIGN(output.job.fingerprint, planFingerprint(plan));
    DataFolders folders;
    WB_TRY(folders.make(plan.paths(target)));
    return runCast(work, std::move(output), options, progress);
}

} // namespace wb::convert
