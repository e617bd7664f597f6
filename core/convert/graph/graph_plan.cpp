// SPDX-License-Identifier: MIT
#include "core/convert/graph/graph_plan.h"

#include "core/base/text.h"
#include "core/convert/weights/weights_plan.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace wb::convert {
namespace {

Result<void> checkGraph(const Model& graph) {
    const std::string name = io::baseName(graph.path);
    if (graph.format == FormatId::Onnx) return {};
    return fail(ErrorCode::Unsupported, Reason("graph.not_onnx"), About{name},
                WB_TEXT("{} is not an ONNX model; choose the graph that the weights are for."), name);
}

class GraphPlanner {
public:
    GraphPlanner(ModelPtr graph, ModelPtr weights) {
        m_plan.graph = std::move(graph);
        m_plan.weights = std::move(weights);
    }

    Result<GraphPlan> run() {
        WB_TRY(checkGraph(*m_plan.graph));
        WB_TRY(addFiles());
        WB_TRY(matchTensors());
        WB_TRY(addRemainder());
        noteSurplus();
        return std::move(m_plan);
    }

private:
    // Values copied out of the graph have a source in memory, and are not a file; the source of a missing file is empty.
    Result<void> addFiles() {
        const auto& files = m_plan.graph->files;
        m_written.resize(files.size());
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (i > 0 && files[i].source && files[i].bytes > 0) continue;
            if (i > 0 && files[i].source)
                return fail(ErrorCode::NotFound, Reason("graph.external"), About{files[i].name},
                            WB_TEXT("{} refers to {}, which cannot be opened; put the file next to the graph."), files[0].name,
                            files[i].name);
            m_written[i] = static_cast<std::uint32_t>(m_plan.files.size());
            m_plan.files.push_back({files[i].name, i, files[i].bytes});
        }
        return {};
    }

    Result<void> matchTensors() {
        std::unordered_map<std::string_view, std::size_t> sources;
        for (std::size_t i = 0; i < m_plan.weights->tensors.size(); ++i)
            if (!m_plan.weights->tensors[i].logical) sources.emplace(m_plan.weights->tensors[i].name, i);
        for (std::size_t i = 0; i < m_plan.graph->tensors.size(); ++i) {
            const TensorInfo& tensor = m_plan.graph->tensors[i];
            if (tensor.logical) continue;
            const auto source = sources.find(tensor.name);
            if (source == sources.end() || !tensor.isReadable()) {
                ++m_plan.kept;
                continue;
            }
            m_used.insert(source->second);
            WB_TRY(matchTensor(i, source->second));
        }
        return {};
    }

    Result<void> matchTensor(std::size_t index, std::size_t source) {
        const TensorInfo& tensor = m_plan.graph->tensors[index];
        const TensorInfo& values = m_plan.weights->tensors[source];
        const std::string graph = io::baseName(m_plan.graph->path);
        if (values.shape != tensor.shape)
            return fail(ErrorCode::Invalid, Reason("graph.shape"), About{tensor.name},
                        WB_TEXT("{} has shape {} in {}, but its new values have shape {}; use the weights of this graph."),
                        tensor.name, tensor.shape.toString(), graph, values.shape.toString());
        const auto types = weightTypes();
        const bool casts = values.dtype != tensor.dtype;
        if (casts && (!canCast(values.dtype) || std::ranges::find(types, tensor.dtype) == types.end()))
            return fail(ErrorCode::Invalid, Reason("graph.type"), About{tensor.name},
                        WB_TEXT("{} has type {} in {}, to which its new values of type {} cannot be cast."), tensor.name,
                        name(tensor.dtype), graph, values.dtypeName());
        if (!values.isReadable())
            return fail(ErrorCode::Malformed, Reason("graph.values"), About{tensor.name},
                        WB_TEXT("The new values of {} cannot be read."), tensor.name);
        const bool isStored = tensor.source.form() == TensorSource::Form::Stored && packedBits(tensor.dtype) == 0 &&
                              m_written[tensor.file()].has_value();
        if (isStored) {
            m_plan.segments.push_back({tensor.name, source, tensor.dtype, tensor.shape.elements(), *m_written[tensor.file()],
                                       tensor.offset().value_or(0), tensor.bytes()});
        } else {
            if (casts)
                return fail(ErrorCode::Unsupported, Reason("graph.list"), About{tensor.name},
                            WB_TEXT("{} is stored as a list of numbers in {}, which cannot be replaced by values of another type."),
                            tensor.name, graph);
            m_plan.listed.push_back({index, source});
        }
        return {};
    }

    // Tensors may share bytes of external data if their new values come from one tensor; others would overwrite each other.
    Result<void> addRemainder() {
        std::ranges::stable_sort(m_plan.segments, {}, [](const GraphSegment& s) { return std::pair(s.file, s.offset); });
        std::vector<GraphSegment> all;
        auto next = m_plan.segments.begin();
        for (std::uint32_t file = 0; file < m_plan.files.size(); ++file) {
            std::uint64_t at = 0;
            for (; next != m_plan.segments.end() && next->file == file; ++next) {
                if (next->bytes == 0) continue;
                if (next->offset < at)
                    return fail(ErrorCode::Unsupported, Reason("graph.shared"), About{next->name},
                                WB_TEXT("{} shares its bytes in {} with another tensor, so it cannot get other values."),
                                next->name, m_plan.files[file].name);
                addGap(all, file, at, next->offset);
                at = next->offset + next->bytes;
                all.push_back(std::move(*next));
            }
            addGap(all, file, at, m_plan.files[file].bytes);
        }
        m_plan.segments = std::move(all);
        return {};
    }

    void addGap(std::vector<GraphSegment>& all, std::uint32_t file, std::uint64_t begin, std::uint64_t end) const {
        if (begin < end) all.push_back({m_plan.files[file].name, {}, Dtype::U8, end - begin, file, begin, end - begin});
    }

    void noteSurplus() {
        std::string names;
        std::size_t count = 0;
        constexpr std::size_t shownNames = 5;
        for (std::size_t i = 0; i < m_plan.weights->tensors.size(); ++i) {
            if (m_plan.weights->tensors[i].logical || m_used.contains(i)) continue;
            if (++count > shownNames) continue;
            names += (names.empty() ? "" : ", ") + m_plan.weights->tensors[i].name;
        }
        if (count == 0) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Warning, "graph.surplus", "", {}, WB_TEXT("{} does not contain {} of the tensors, which are omitted: {}."),
            io::baseName(m_plan.graph->path), count, toUtf8(names + (count > shownNames ? " …" : ""))));
    }

    GraphPlan m_plan;
    std::vector<std::optional<std::uint32_t>> m_written; // index into GraphPlan::files, by file of the graph's model
    std::set<std::size_t> m_used;                        // tensors of the weights
};

} // namespace

std::uint64_t GraphPlan::fileBytes() const {
    std::uint64_t sum = 0;
    for (const GraphFile& file : files) sum += file.bytes;
    return sum;
}

std::vector<run::SourceFile> GraphPlan::sources() const {
    std::vector<run::SourceFile> all;
    for (const Model* model : {graph.get(), weights.get()})
        for (const ModelFile& file : model->files) all.push_back({file.name, file.identity});
    return all;
}

std::vector<std::filesystem::path> GraphPlan::paths(const std::filesystem::path& target) const {
    std::vector<std::filesystem::path> all = {target};
    for (std::size_t i = 1; i < files.size(); ++i) {
        const std::string& name = files[i].name;
        all.push_back(target.parent_path() / std::filesystem::path(std::u8string(name.begin(), name.end())));
    }
    return all;
}

Result<GraphPlan> planGraph(ModelPtr graph, ModelPtr weights) { return GraphPlanner(std::move(graph), std::move(weights)).run(); }

} // namespace wb::convert
