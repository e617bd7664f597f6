// SPDX-License-Identifier: MIT
#include "core/formats/mnn/mnn.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/flat/flat.h"

#include <algorithm>
#include <array>

namespace wb::mnn {
namespace {

using flat::Table;
using flat::Vector;

constexpr formats::Tasks taskNames{"mnn.index"};

namespace slot {
namespace net {
constexpr unsigned extraInfo = 2, operators = 3, sourceType = 6, tensorNames = 7;
}
namespace op {
constexpr unsigned kind = 1, content = 2, name = 3, type = 5, externalPath = 7;
}
namespace convolution {
constexpr unsigned common = 0, weight = 1, bias = 2, quantized = 3, symmetric = 4, external = 6;
}
namespace common {
constexpr unsigned kernelX = 2, kernelY = 3, outputs = 10;
}
} // namespace slot

// Members of the union OpParameter whose weights are listed, by their number.
constexpr std::uint8_t batchNorm = 5, blob = 7, convolution2d = 9, innerProduct = 20, prelu = 32, scale = 58, convolution3d = 80,
                       layerNorm = 88;

struct WeightField {
    unsigned slot;
    const char* name;
};

// Lists of f32 in the tables of these operators.
struct FloatOperator {
    std::uint8_t kind;
    std::vector<WeightField> fields;
};

const std::vector<FloatOperator>& floatOperators() {
    static const std::vector<FloatOperator> all = {
        {batchNorm, {{1, "slope"}, {2, "mean"}, {3, "variance"}, {4, "bias"}, {5, "a"}, {6, "b"}}},
        {innerProduct, {{3, "weight"}, {4, "bias"}}},
        {prelu, {{1, "slope"}}},
        {scale, {{1, "scale"}, {2, "bias"}}},
        {convolution3d, {{1, "weight"}, {2, "bias"}}},
        {layerNorm, {{2, "gamma"}, {3, "beta"}}}};
    return all;
}

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_options(options), m_file(source), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        const Table net = Table::root(m_file);
        const Vector operators = net.vector(slot::net::operators, 4);
        for (std::uint64_t i = 0; i < operators.count && m_file.good(); ++i) {
            if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY(readOperator(net.tableAt(operators, i), i));
        }
        if (m_file.failure()) return std::unexpected(*m_file.failure());
        if (!m_file.good() && m_index.model.tensors.empty())
            return m_findings.refuse(ErrorCode::Malformed, "mnn.damaged",
                                     WB_TEXT("{} is corrupted: an offset points outside the file; download it again."));
        if (!m_file.good())
            WB_TRY(m_findings.defect(Severity::Error, "mnn.damaged", std::nullopt,
                                     WB_TEXT("{} is corrupted: an offset points outside the file; download it again.")));
        finish(net, operators.count);
        return std::move(m_index);
    }

private:
    Result<void> readOperator(const Table& op, std::uint64_t number) {
        std::string name = toUtf8(op.text(slot::op::name));
        if (name.empty()) name = fmt::format("operator {}", number);
        const auto kind = op.number<std::uint8_t>(slot::op::kind);
        const Table content = op.table(slot::op::content);
        if (const std::string path = op.text(slot::op::externalPath); !path.empty()) noteExternal(path);
        if (!content.isThere()) return {};
        if (kind == convolution2d) return readConvolution(content, name);
        if (kind == blob) return readBlob(content, name);
        const auto found = std::ranges::find(floatOperators(), kind, &FloatOperator::kind);
        if (found == floatOperators().end()) return {};
        for (const WeightField& field : found->fields)
            WB_TRY(addList(name + "." + field.name, Dtype::F32, content.vector(field.slot, sizeof(float)), {}));
        return {};
    }

    void noteExternal(const std::string& path) {
        m_hasExternal = true;
        if (!io::isPlainRelativeName(path))
            m_findings.add(Severity::Error, "path.traversal", std::nullopt,
                           WB_TEXT("{}: it loads values from {}, which is outside its folder."), formats::shown(toUtf8(path)));
    }

    Result<void> readConvolution(const Table& content, const std::string& name) {
        namespace own = slot::convolution;
        const Table common = content.table(own::common);
        const auto side = [&](unsigned field, std::int32_t fallback) {
            return static_cast<std::uint64_t>(std::max(common.number<std::int32_t>(field, fallback), 0));
        };
        const std::uint64_t outputs = side(slot::common::outputs, 0), width = side(slot::common::kernelX, 1),
                            height = side(slot::common::kernelY, 1);
        const std::vector<std::uint64_t> sides = {outputs, height, width};
        WB_TRY(addList(name + ".weight", Dtype::F32, content.vector(own::weight, sizeof(float)), sides));
        WB_TRY(addList(name + ".bias", Dtype::F32, content.vector(own::bias, sizeof(float)), {}));
        if (content.vector(own::external, 8).count != 0) m_hasExternal = true;
        // QuantizedFloatParam: weight 0 (i8), bias 1 (i32), scale 2 (f32), tensorScale 3.
        if (const Table symmetric = content.table(own::symmetric); symmetric.isThere()) {
            WB_TRY(addList(name + ".weight", Dtype::I8, symmetric.vector(0, 1), sides));
            WB_TRY(addList(name + ".bias", Dtype::I32, symmetric.vector(1, sizeof(std::int32_t)), {}));
            WB_TRY(addList(name + ".scale", Dtype::F32, symmetric.vector(2, sizeof(float)), {}));
            WB_TRY(addList(name + ".tensor_scale", Dtype::F32, symmetric.vector(3, sizeof(float)), {}));
        }
        // IDSTQuan: buffer 0, alpha 1, type 2.
        const Table packed = content.table(own::quantized);
        if (!packed.isThere() || packed.vector(0, 1).count == 0) return {};
        const auto form = packed.number<std::int32_t>(2);
        const Vector buffer = packed.vector(0, 1);
        constexpr std::int32_t halves = 3;
        if (form == halves && buffer.count % 2 == 0)
            return addList(name + ".weight", Dtype::F16, Vector{buffer.begin, buffer.count / 2}, sides);
        WB_TRY(addList(name + ".weight.codes", Dtype::U8, buffer, {}));
        WB_TRY(addList(name + ".weight.alpha", Dtype::F32, packed.vector(1, sizeof(float)), {}));
        if (!m_hasPacked)
            m_findings.add(Severity::Note, "mnn.packed", std::nullopt,
                           WB_TEXT("{} has compressed convolution weights; they are listed as they are stored."));
        m_hasPacked = true;
        return {};
    }

    // dims 0, dataType 2, uint8s 3, int8s 4, int32s 5, int64s 6, float32s 7.
    Result<void> readBlob(const Table& content, const std::string& name) {
        struct List {
            unsigned slot;
            Dtype dtype;
        };
        static constexpr std::array lists = {List{3, Dtype::U8}, List{4, Dtype::I8}, List{5, Dtype::I32}, List{6, Dtype::I64},
                                             List{7, Dtype::F32}};
        std::vector<std::uint64_t> sides;
        for (const std::int32_t side : content.numbers<std::int32_t>(0, Shape::maximumRank))
            sides.push_back(static_cast<std::uint64_t>(std::max(side, 0)));
        for (const List& list : lists) {
            const Vector values = content.vector(list.slot, info(list.dtype).blockBytes);
            if (values.count != 0) return addTensor(name, list.dtype, values, Shape::make(sides));
        }
        return {};
    }

    // The sides of a kernel lack the inputs of a group, which follow from the number of weights.
    Result<void> addList(std::string name, Dtype dtype, const Vector& values, const std::vector<std::uint64_t>& kernel) {
        if (values.count == 0) return {};
        std::optional<Shape> shape;
        if (kernel.size() == 3) {
            const auto known = Shape::make(kernel);
            if (known && known->elements() != 0 && values.count % known->elements() == 0)
                shape = Shape::make({kernel[0], values.count / known->elements(), kernel[1], kernel[2]});
        }
        return addTensor(std::move(name), dtype, values, shape);
    }

    Result<void> addTensor(std::string name, Dtype dtype, const Vector& values, const std::optional<Shape>& shape) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "mnn.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        tensor.shape = shape && shape->elements() == values.count ? *shape : Shape::make({values.count}).value_or(Shape());
        tensor.source = TensorSource::stored(0, values.begin, values.count * info(dtype).blockBytes);
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    void finish(const Table& net, std::uint64_t operators) {
        static constexpr std::array sources = {"Caffe", "TensorFlow", "TensorFlow Lite", "ONNX", "Torch"};
        if (m_hasExternal)
            m_findings.add(Severity::Warning, "mnn.external", std::nullopt,
                           WB_TEXT("{} references other files to load values from; they are not opened."));
        Model& model = m_index.model;
        model.format = FormatId::Mnn;
        const auto add = [&](const char* key, Value value) { model.metadata.members.push_back({key, std::move(value)}); };
        add("operators", Value::ofUnsigned(ValueType::U64, operators));
        const auto source = net.number<std::uint8_t>(slot::net::sourceType);
        if (source < sources.size()) add("source", Value::of(std::string(sources[source])));
        if (const Table extra = net.table(slot::net::extraInfo); extra.isThere()) {
            if (const std::string version = extra.text(3); !version.empty()) add("version", Value::of(toUtf8(version)));
        }
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
    }

    const formats::OpenOptions& m_options;
    flat::File m_file;
    formats::Findings m_findings;
    formats::Index m_index;
    bool m_hasExternal = false;
    bool m_hasPacked = false;
};

} // namespace

bool sniff(const io::ByteSource& source) {
    flat::File file(source);
    if (source.size() < 64) return false;
    const Table net = Table::root(file);
    const Vector list = net.vector(slot::net::operators, 4), names = net.vector(slot::net::tensorNames, 4);
    if (!file.good() || list.count == 0 || names.count == 0) return false;
    const std::string name = net.tableAt(list, 0).text(slot::op::name, 4096);
    (void)net.textAt(names, 0, 4096);
    return file.good() && !name.empty();
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::mnn
