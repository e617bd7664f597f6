// SPDX-License-Identifier: MIT
#include "core/formats/catboost/catboost.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/flat/flat.h"
#include "core/io/range_source.h"

#include <algorithm>
#include <array>

namespace wb::catboost {
namespace {

using flat::Table;
using flat::Vector;

constexpr formats::Tasks taskNames{"catboost.index"};
constexpr std::string_view sign = "CBM1";
constexpr std::uint64_t headBytes = 8, maxFacts = 10'000, maxFactBytes = 1 << 20;

namespace slot {
constexpr unsigned version = 0, trees = 1, facts = 2;                      // TModelCore
constexpr unsigned dimension = 0, categoryFeatures = 4, floatFeatures = 5; // TObliviousTrees
constexpr unsigned borders = 3, featureName = 4;                           // TFloatFeature
} // namespace slot

struct ArrayField {
    unsigned slot;
    const char* name;
    Dtype dtype;
    std::uint64_t columns = 1; // numbers of an element
};

// Arrays of TObliviousTrees.
constexpr std::array arrayFields = {ArrayField{1, "trees.splits", Dtype::I32},       ArrayField{2, "trees.sizes", Dtype::I32},
                                    ArrayField{3, "trees.offsets", Dtype::I32},      ArrayField{8, "trees.leaf_values", Dtype::F64},
                                    ArrayField{9, "trees.leaf_weights", Dtype::F64}, ArrayField{10, "trees.steps", Dtype::U16, 2},
                                    ArrayField{11, "trees.leaf_of_node", Dtype::U32}};

class Reader {
public:
    Reader(const std::shared_ptr<io::ByteSource>& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source->name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        io::RandomReader file(*m_source);
        if (!file.hasText(0, sign))
            return m_findings.refuse(ErrorCode::Malformed, "catboost.sign", WB_TEXT("{} is not a CatBoost model."));
        const auto extent = io::Extent::make(m_source->size(), headBytes, file.read<std::uint32_t>(sign.size()));
        if (!extent || !file.good())
            return m_findings.refuse(ErrorCode::Malformed, "catboost.cut",
                                     WB_TEXT("{} is cut: its trees continue after the end of the file; download it again."));
        const io::RangeSource core(m_source, *extent, m_source->name());
        flat::File tables(core);
        const Table root = Table::root(tables), trees = root.table(slot::trees);
        Model& model = m_index.model;
        model.format = FormatId::CatBoost;
        if (const std::string version = root.text(slot::version); !version.empty()) model.version = toUtf8(version);
        addFacts(root, trees, tables);
        if (trees.isThere()) {
            for (const ArrayField& field : arrayFields) WB_TRY(addArray(trees, field));
            WB_TRY(addBorders(trees, tables));
        }
        if (tables.failure()) return std::unexpected(*tables.failure());
        if (!tables.good() || !trees.isThere())
            return m_findings.refuse(ErrorCode::Malformed, "catboost.damaged",
                                     WB_TEXT("{} is corrupted: an offset points outside its trees; download it again."));
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    void addFacts(const Table& root, const Table& trees, flat::File& tables) {
        auto& members = m_index.model.metadata.members;
        const auto count = [&](const char* name, std::uint64_t number) {
            members.push_back({name, Value::ofUnsigned(ValueType::U64, number)});
        };
        if (trees.isThere()) {
            count("trees", trees.vector(2, 4).count);
            count("outputs", static_cast<std::uint64_t>(std::max(trees.number<std::int32_t>(slot::dimension), 0)));
            count("numeric features", trees.vector(slot::floatFeatures, 4).count);
            count("category features", trees.vector(slot::categoryFeatures, 4).count);
        }
        const Vector facts = root.vector(slot::facts, 4);
        for (std::uint64_t i = 0; i < std::min(facts.count, maxFacts) && tables.good(); ++i) {
            const Table fact = root.tableAt(facts, i);
            members.push_back({toUtf8(fact.text(0)), Value::of(toUtf8(fact.text(1, maxFactBytes)))});
        }
    }

    // Positions in the FlatBuffer are `headBytes` less than those in the file.
    Result<void> add(std::string name, Dtype dtype, const Vector& values, std::uint64_t columns) {
        if (values.count == 0) return {};
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "catboost.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        const auto shape = columns == 1 ? Shape::make({values.count}) : Shape::make({values.count, columns});
        tensor.shape = shape.value_or(Shape());
        tensor.source = TensorSource::stored(0, headBytes + values.begin, values.count * columns * info(dtype).blockBytes);
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    Result<void> addArray(const Table& trees, const ArrayField& field) {
        return add(field.name, field.dtype, trees.vector(field.slot, field.columns * info(field.dtype).blockBytes), field.columns);
    }

    Result<void> addBorders(const Table& trees, flat::File& tables) {
        const Vector features = trees.vector(slot::floatFeatures, 4);
        for (std::uint64_t i = 0; i < features.count && tables.good(); ++i) {
            const Table feature = trees.tableAt(features, i);
            const std::string name = toUtf8(feature.text(slot::featureName));
            WB_TRY(add(name.empty() ? fmt::format("borders.{}", i) : fmt::format("borders.{}.{}", i, name), Dtype::F32,
                       feature.vector(slot::borders, sizeof(float)), 1));
        }
        return {};
    }

    const std::shared_ptr<io::ByteSource>& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return text.size() > headBytes && text.starts_with(sign);
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::catboost
