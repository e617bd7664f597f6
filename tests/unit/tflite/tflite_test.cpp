// SPDX-License-Identifier: MIT
#include "core/formats/tflite/tflite.h"

#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

namespace wb::tflite {
namespace {

using testing::HasSubstr;

Result<formats::Index> index(std::vector<std::byte> bytes) {
    return readIndex({std::make_shared<io::MemorySource>("a.tflite", std::move(bytes))}, {}, {});
}

// Builds a buffer from its end to its beginning, as the library does: positions are distances from the end.
class Builder {
public:
    using Place = std::uint32_t;

    Place vector(const std::vector<std::uint8_t>& bytes, std::uint32_t count) {
        pad(bytes.size(), 4);
        m_bytes.insert(m_bytes.begin(), bytes.begin(), bytes.end());
        return put<std::uint32_t>(count);
    }
    template <class T>
    Place numbers(const std::vector<T>& values) {
        std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
        return vector(bytes, static_cast<std::uint32_t>(values.size()));
    }
    Place text(const std::string& value) {
        std::vector<std::uint8_t> bytes(value.begin(), value.end());
        bytes.push_back(0);
        return vector(bytes, static_cast<std::uint32_t>(value.size()));
    }
    Place tables(const std::vector<Place>& places) {
        for (std::size_t i = places.size(); i-- > 0;) put<std::uint32_t>(size() + 4 - places[i]);
        return put<std::uint32_t>(static_cast<std::uint32_t>(places.size()));
    }

    struct Field {
        unsigned slot;
        std::uint32_t value;
        bool isPlace;
    };
    Place table(const std::vector<Field>& fields) {
        unsigned slots = 0;
        for (const Field& field : fields) slots = std::max(slots, field.slot + 1);
        for (std::size_t i = fields.size(); i-- > 0;)
            put<std::uint32_t>(fields[i].isPlace ? size() + 4 - fields[i].value : fields[i].value);
        std::vector<std::uint16_t> vtable(2 + slots);
        vtable[0] = static_cast<std::uint16_t>(vtable.size() * 2);
        vtable[1] = static_cast<std::uint16_t>(4 + 4 * fields.size());
        for (std::size_t i = 0; i < fields.size(); ++i) vtable[2 + fields[i].slot] = static_cast<std::uint16_t>(4 + 4 * i);
        if (vtable.size() % 2 != 0) vtable.push_back(0), vtable[0] += 2;
        put<std::int32_t>(static_cast<std::int32_t>(vtable.size() * 2)); // the vtable lies before the table
        const Place place = size();
        for (std::size_t i = vtable.size(); i-- > 0;) put(vtable[i]);
        return place;
    }
    std::vector<std::byte> finish(Place root) {
        m_bytes.insert(m_bytes.begin(), {'T', 'F', 'L', '3'});
        put<std::uint32_t>(size() + 4 - root);
        return {reinterpret_cast<const std::byte*>(m_bytes.data()),
                reinterpret_cast<const std::byte*>(m_bytes.data() + m_bytes.size())};
    }

private:
    Place size() const { return static_cast<Place>(m_bytes.size()); }
    void pad(std::size_t more, std::size_t to) {
        while ((m_bytes.size() + more) % to != 0) m_bytes.insert(m_bytes.begin(), 0);
    }
    template <class T>
    Place put(T value) {
        std::uint8_t bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        m_bytes.insert(m_bytes.begin(), bytes, bytes + sizeof(T));
        return size();
    }

    std::vector<std::uint8_t> m_bytes;
};

struct Made {
    std::vector<std::int32_t> shape = {2, 2};
    std::uint32_t type = 9; // I8
    std::vector<std::uint8_t> values = {1, 2, 3, 0xFF};
    std::uint32_t buffer = 1;
    std::uint64_t offset = 0; // of values behind the buffer
};

std::vector<std::byte> model(const Made& made) {
    Builder b;
    const auto data = b.numbers(made.values);
    const auto empty = b.table({});
    const auto filled = b.table({{0, data, true}});
    const auto buffers = b.tables({empty, filled});
    const auto shape = b.numbers(made.shape);
    const auto name = b.text("w");
    const auto tensor = b.table({{0, shape, true}, {1, made.type, false}, {2, made.buffer, false}, {3, name, true}});
    const auto tensors = b.tables({tensor});
    const auto graph = b.table({{0, tensors, true}});
    const auto graphs = b.tables({graph});
    return b.finish(b.table({{0, 3, false}, {2, graphs, true}, {4, buffers, true}}));
}

TEST(TfLite, Fixtures) {
    WB_NEED_SHARED("fixtures/tensorflow");
    std::size_t tensors = 0;
    for (const char* name : {"float32", "float16", "dynamic_int8", "full_int8", "int16x8"}) {
        const std::string file = std::string(name) + ".tflite";
        const auto model = open(test::shared() / "fixtures/tensorflow" / file, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, "tensorflow/" + file), 0u);
        EXPECT_TRUE((*model)->problems.empty());
        tensors += (*model)->tensors.size();
    }
    EXPECT_EQ(tensors, 26u);
}

TEST(TfLite, InputsOutputsAndOperatorsAreMetadata) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const auto model = open(test::shared() / "fixtures/tensorflow/float32.tflite", {});
    ASSERT_TRUE(model) << model.error().message();
    const ValueObject& metadata = (*model)->metadata;
    EXPECT_EQ(summary(*metadata.find("inputs")), R"(["x: F32 [1, 8, 8, 2]"])");
    EXPECT_EQ(summary(*metadata.find("outputs")), R"(["Identity: F32 [1, 9]"])");
    EXPECT_EQ(metadata.find("operators")->object()->find("CONV_2D")->unsignedNumber(), 1u);
}

TEST(TfLite, Corpus) {
    WB_NEED_SHARED("corpus/tflite");
    std::map<std::string, std::size_t> counts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus")) {
        if (entry.path().extension() != ".tflite") continue;
        const auto read = index(test::readFile(entry.path()));
        ASSERT_TRUE(read) << read.error().message();
        for (const TensorInfo& tensor : read->model.tensors) EXPECT_TRUE(tensor.isReadable()) << entry.path() << tensor.name;
        counts[entry.path().filename().string()] = read->model.tensors.size();
    }
    EXPECT_EQ(counts.size(), 21u);
    EXPECT_EQ(counts["hello_world_float.tflite"], 6u);
    EXPECT_EQ(counts["trained_lstm.tflite"], 15u);
    EXPECT_EQ(counts["audio_preprocessor_int8.tflite"], 18u);
    EXPECT_EQ(counts["version-RFB-320_without_postprocessing.tflite"], 118u);
}

TEST(TfLite, ReadsWhatIsBuiltByHand) {
    const auto read = index(model({}));
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(read->model.tensors.size(), 1u);
    EXPECT_EQ(read->model.tensors[0].name, "w");
    EXPECT_EQ(read->model.tensors[0].shape, *Shape::make({2, 2}));
    EXPECT_TRUE(read->model.tensors[0].isReadable());
    EXPECT_EQ(read->model.version, "3");
}

TEST(TfLite, ReadsPackedNumbers) {
    const auto bytes = model({{3}, 17, {0x8F, 0x07}});
    auto read = index(bytes);
    ASSERT_TRUE(read);
    const Model whole = formats::modelFromIndex(std::move(*read), {std::make_shared<io::MemorySource>("a.tflite", bytes)});
    const auto reader = TensorReader::open(whole, whole.tensors.at(0));
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(3);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, values, scratch));
    EXPECT_THAT(values, testing::ElementsAre(-1, -8, 7));
    values.resize(1);
    ASSERT_TRUE(reader->readF32(1, values, scratch));
    EXPECT_THAT(values, testing::ElementsAre(-8));
}

// A matrix of 3 rows and 4 columns, of which three elements are stored.
struct Sparse {
    std::vector<std::int32_t> traversal = {0, 1};
    std::vector<std::uint8_t> segments = {0, 1, 1, 3};
    std::vector<std::uint16_t> indices = {2, 0, 3};
    std::vector<float> values = {1, 2, 3};
    std::vector<std::int32_t> blockMap = {};
};

std::vector<std::byte> sparseModel(const Sparse& made) {
    Builder b;
    const auto data = b.vector({reinterpret_cast<const std::uint8_t*>(made.values.data()),
                                reinterpret_cast<const std::uint8_t*>(made.values.data() + made.values.size())},
                               static_cast<std::uint32_t>(made.values.size() * sizeof(float)));
    const auto empty = b.table({});
    const auto filled = b.table({{0, data, true}});
    const auto buffers = b.tables({empty, filled});
    const auto segmentList = b.numbers(made.segments), indexList = b.numbers(made.indices);
    const auto segments = b.table({{0, segmentList, true}}), indices = b.table({{0, indexList, true}});
    const auto rows = b.table({{0, 0, false}, {1, 3, false}});
    const auto columns = b.table({{0, 1, false}, {2, 3, false}, {3, segments, true}, {4, 2, false}, {5, indices, true}});
    const auto dimensions = b.tables({rows, columns});
    const auto traversal = b.numbers(made.traversal), blockMap = b.numbers(made.blockMap);
    const auto sparsity = b.table({{0, traversal, true}, {1, blockMap, true}, {2, dimensions, true}});
    const auto shape = b.numbers(std::vector<std::int32_t>{3, 4});
    const auto name = b.text("w");
    const auto tensor = b.table({{0, shape, true}, {1, 0, false}, {2, 1, false}, {3, name, true}, {6, sparsity, true}});
    const auto tensors = b.tables({tensor});
    const auto graph = b.table({{0, tensors, true}});
    const auto graphs = b.tables({graph});
    return b.finish(b.table({{0, 3, false}, {2, graphs, true}, {4, buffers, true}}));
}

Result<std::vector<float>> sparseValues(const Sparse& made) {
    const auto bytes = sparseModel(made);
    WB_TRY_ASSIGN(auto read, index(bytes));
    const Model whole = formats::modelFromIndex(std::move(read), {std::make_shared<io::MemorySource>("a.tflite", bytes)}, unpack);
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(whole, whole.tensors.at(0)));
    std::vector<float> values(12);
    std::vector<std::byte> scratch;
    for (std::uint64_t at = 0; at < 12; at += 5) // windows that begin and end inside a row
        WB_TRY(reader.readF32(at, std::span(values).subspan(at, std::min<std::uint64_t>(5, 12 - at)), scratch));
    return values;
}

TEST(TfLite, ExpandsSparseRows) {
    const auto read = index(sparseModel({}));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(read->model.problems.empty());
    EXPECT_THAT(read->model.tensors.at(0).details->notes, testing::Contains("sparse, 3 of 12 elements stored"));
    const auto values = sparseValues({});
    ASSERT_TRUE(values) << values.error().message();
    EXPECT_THAT(*values, testing::ElementsAre(0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 3));
}

TEST(TfLite, RefusesSparseRowsThatContradictThemselves) {
    for (const Sparse& made : {Sparse{.segments = {0, 2, 1, 3}}, Sparse{.segments = {0, 1, 1, 9}}, Sparse{.indices = {4, 0, 3}}})
        EXPECT_FALSE(sparseValues(made));
}

TEST(TfLite, ListsOtherSparseFormsWithoutValues) {
    for (const Sparse& made :
         {Sparse{.traversal = {1, 0}}, Sparse{.segments = {0, 1, 3}}, Sparse{.indices = {2, 0}}, Sparse{.blockMap = {0}}}) {
        const auto read = index(sparseModel(made));
        ASSERT_TRUE(read) << read.error().message();
        EXPECT_FALSE(read->model.tensors.at(0).isReadable());
        ASSERT_EQ(read->model.problems.size(), 1u);
        EXPECT_EQ(read->model.problems[0].severity, Severity::Note);
    }
}

TEST(TfLite, ValuesThatDoNotFit) {
    for (const Made& made : {Made{{3}}, Made{{-1, 2}}, Made{{1 << 30, 1 << 30, 1 << 30}}, Made{{2, 2}, 0}}) {
        const auto read = index(model(made));
        ASSERT_TRUE(read) << read.error().message();
        ASSERT_EQ(read->model.tensors.size(), 1u);
        EXPECT_FALSE(read->model.tensors[0].isReadable());
        EXPECT_EQ(read->model.problems.size(), 1u);
    }
    const auto unknown = index(model({{2, 2}, 99}));
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->model.tensors[0].dtypeName(), "type 99");
    const auto none = index(model({{2, 2}, 9, {}, 7}));
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->model.tensors.empty()) << "a buffer that is not there belongs to a tensor without values";
}

TEST(TfLite, IsCutAndBentAtEveryByteWithoutHarm) {
    const auto whole = model({});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto cut = index({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
        if (!cut) {
            EXPECT_THAT(cut.error().message(), HasSubstr("a.tflite"));
        }
    }
    for (std::size_t at = 8; at < whole.size(); ++at)
        for (const unsigned value : {0u, 1u, 0x7Fu, 0x80u, 0xFFu}) {
            auto bent = whole;
            bent[at] = static_cast<std::byte>(value);
            auto read = index(bent);
            if (!read) continue;
            const Model model = formats::modelFromIndex(std::move(*read), {std::make_shared<io::MemorySource>("a.tflite", bent)});
            for (const TensorInfo& tensor : model.tensors) (void)TensorReader::open(model, tensor);
        }
}

TEST(TfLite, StrictRefusesWhatIsDamaged) {
    auto bytes = model({});
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = std::byte{0xFF}; // the root leads out
    const auto lenient = index(bytes);
    ASSERT_FALSE(lenient);
    EXPECT_EQ(lenient.error().code, ErrorCode::Malformed);
    EXPECT_THAT(lenient.error().message(), HasSubstr("a.tflite"));
}

} // namespace
} // namespace wb::tflite
