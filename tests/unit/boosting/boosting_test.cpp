// SPDX-License-Identifier: MIT
#include "core/formats/catboost/catboost.h"
#include "core/formats/lightgbm/lightgbm.h"
#include "core/formats/xgboost/xgboost.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

#include <bit>
#include <cstring>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

formats::Sources inMemory(const std::string& name, const std::string& content) {
    return {std::make_shared<io::MemorySource>(name, test::toBytes(content))};
}

// The model of a reader's index.
Model modelFrom(formats::ReadIndex read, const std::string& name, const std::string& content) {
    const auto sources = inMemory(name, content);
    auto index = read(sources, {}, {});
    EXPECT_TRUE(index) << index.error().message();
    return index ? formats::modelFromIndex(std::move(*index), sources) : Model();
}

std::vector<float> valuesOf(const Model& model, std::string_view name) {
    const auto tensor = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (tensor == model.tensors.end()) return {};
    const auto reader = TensorReader::open(model, *tensor);
    EXPECT_TRUE(reader) << name;
    if (!reader) return {};
    std::vector<float> values(tensor->shape.elements());
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader->readF32(0, values, scratch));
    return values;
}

std::string factOf(const Model& model, std::string_view key) {
    const Value* value = model.metadata.find(key);
    return value == nullptr ? "absent" : summary(*value);
}

const std::string xgboostText =
    R"({"learner":{"attributes":{},"feature_names":["a","b"],"gradient_booster":{"model":{"gbtree_model_param":{"num_trees":"2"},)"
    R"("tree_info":[0,0],"trees":[{"base_weights":[0.5,-1.5,2.5],"default_left":[1,0,0],"left_children":[1,-1,-1],"id":0,)"
    R"("split_conditions":[3.25,-1.5,2.5],"tree_param":{"num_nodes":"3"}},{"base_weights":[0.125],"default_left":[0],)"
    R"("left_children":[-1],"id":1,"split_conditions":[0.125],"tree_param":{"num_nodes":"1"}}]},"name":"gbtree"},)"
    R"("objective":{"name":"reg:squarederror"}},"version":[2,1,4]})";

TEST(XgBoost, TheTreesOfAJsonTextAreArrays) {
    const Model model = modelFrom(xgboost::readIndex, "a.json", xgboostText);
    EXPECT_EQ(model.format, FormatId::XgBoost);
    EXPECT_EQ(model.version, "2.1.4");
    EXPECT_THAT(valuesOf(model, "trees.base_weights"), ElementsAre(0.5f, -1.5f, 2.5f, 0.125f));
    EXPECT_THAT(valuesOf(model, "trees.left_children"), ElementsAre(1, -1, -1, -1));
    EXPECT_THAT(valuesOf(model, "trees.nodes"), ElementsAre(3, 1));
    EXPECT_THAT(valuesOf(model, "trees.default_left"), ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(valuesOf(model, "tree_info"), ElementsAre(0, 0));
    EXPECT_EQ(factOf(model, "trees"), "2");
    EXPECT_EQ(factOf(model, "learner.objective.name"), "reg:squarederror");
    EXPECT_THAT(factOf(model, "learner.feature_names"), HasSubstr("a"));
    EXPECT_EQ(factOf(model, "learner.gradient_booster.model.gbtree_model_param.num_trees"), "2");
}

// Universal Binary JSON: a key is a length and its bytes.
std::string key(const std::string& name) { return std::string("L") + std::string(7, '\0') + static_cast<char>(name.size()) + name; }
std::string count(unsigned value) { return std::string("#L") + std::string(7, '\0') + static_cast<char>(value); }
std::string bigEndian(float value) {
    auto bytes = std::bit_cast<std::array<char, 4>>(value);
    std::ranges::reverse(bytes);
    return {bytes.begin(), bytes.end()};
}

std::string xgboostBinary() {
    const std::string tree = "{" + key("base_weights") + "[$d" + count(2) + bigEndian(0.5f) + bigEndian(-2) + key("left_children") +
                             "[$l" + count(2) + std::string("\0\0\0\1\xFF\xFF\xFF\xFF", 8) + key("id") + "i\x07" + "}";
    const std::string booster =
        "{" + key("model") + "{" + key("trees") + "[#i\x01" + tree + "}" + key("name") + "S" + key("gbtree") + "}";
    return "{" + key("learner") + "{" + key("gradient_booster") + booster + "}" + key("version") + "[i\x02" + "i\x01" + "i\x03" +
           "]}";
}

TEST(XgBoost, TheBinaryFormHoldsTheSame) {
    ASSERT_TRUE(xgboost::sniff(test::toBytes(xgboostBinary())));
    const Model model = modelFrom(xgboost::readIndex, "a.ubj", xgboostBinary());
    EXPECT_EQ(model.version, "2.1.3");
    EXPECT_THAT(valuesOf(model, "trees.base_weights"), ElementsAre(0.5f, -2));
    EXPECT_THAT(valuesOf(model, "trees.left_children"), ElementsAre(1, -1));
    EXPECT_THAT(valuesOf(model, "trees.nodes"), ElementsAre(2));
    EXPECT_EQ(factOf(model, "learner.gradient_booster.name"), "gbtree");
}

TEST(XgBoost, ALinearBoosterHasWeights) {
    const Model model = modelFrom(xgboost::readIndex, "a.json",
                                  R"({"learner":{"gradient_booster":{"model":{"weights":[0.5,1.5]},"name":"gblinear"}}})");
    EXPECT_THAT(valuesOf(model, "weights"), ElementsAre(0.5f, 1.5f));
}

TEST(XgBoost, DamageIsRefused) {
    const auto refusal = [](const std::string& content) {
        const auto index = xgboost::readIndex(inMemory("a.json", content), {}, {});
        return index ? std::string("none") : index.error().message();
    };
    EXPECT_THAT(refusal(xgboostText.substr(0, 100)), HasSubstr("JSON is invalid"));
    EXPECT_THAT(refusal(R"({"other":1})"), HasSubstr("is not an XGBoost model"));
    EXPECT_THAT(refusal("{" + key("learner") + "X}"), HasSubstr("binary JSON"));
    EXPECT_THAT(refusal("{" + key("learner") + "[$d#L" + std::string(8, '\x7F')), HasSubstr("binary JSON")); // more than the file
    EXPECT_THAT(refusal("{" + key("learner") + std::string(1000, '[')), HasSubstr("binary JSON"));
    EXPECT_FALSE(xgboost::sniff(test::toBytes(R"({"learner":1})")));
    EXPECT_FALSE(xgboost::sniff(test::toBytes("")));
}

TEST(XgBoost, IsCutAndBentAtEveryByteWithoutHarm) {
    test::cutAndBend(xgboost::readIndex, nullptr, inMemory("a.json", xgboostText), 0, test::toBytes(xgboostText));
    test::cutAndBend(xgboost::readIndex, nullptr, inMemory("a.ubj", xgboostBinary()), 0, test::toBytes(xgboostBinary()));
}

const std::string lightgbmText =
    "tree\nversion=v4\nnum_class=1\nfeature_names=a b\ntree_sizes=1 1\n\n"
    "Tree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=1\nsplit_gain=2.5\nthreshold=0.1\ndecision_type=2\n"
    "left_child=-1\nright_child=-2\nleaf_value=0.25 -0.5\nleaf_count=3 4\nshrinkage=0.1\n\n"
    "Tree=1\nnum_leaves=1\nnum_cat=0\nleaf_value=7\nshrinkage=1\n\n"
    "end of trees\n\nfeature_importances:\nb=1\n\nparameters:\n[learning_rate: 0.1]\nend of parameters\n";

TEST(LightGbm, TheTreesAreArrays) {
    ASSERT_TRUE(lightgbm::sniff(lightgbmText));
    const Model model = modelFrom(lightgbm::readIndex, "a.txt", lightgbmText);
    EXPECT_EQ(model.format, FormatId::LightGbm);
    EXPECT_EQ(model.version, "v4");
    EXPECT_TRUE(model.problems.empty());
    EXPECT_THAT(valuesOf(model, "trees.num_leaves"), ElementsAre(2, 1));
    EXPECT_THAT(valuesOf(model, "trees.leaf_value"), ElementsAre(0.25f, -0.5f, 7));
    EXPECT_THAT(valuesOf(model, "trees.left_child"), ElementsAre(-1));
    EXPECT_THAT(valuesOf(model, "trees.threshold"), ElementsAre(0.1f));
    EXPECT_EQ(factOf(model, "trees"), "2");
    EXPECT_EQ(factOf(model, "feature_names"), "a b");
    EXPECT_EQ(factOf(model, "parameters.learning_rate"), "0.1");
}

TEST(LightGbm, DamageIsSaid) {
    const auto cut = lightgbm::readIndex(inMemory("a.txt", lightgbmText.substr(0, 200)), {}, {});
    ASSERT_TRUE(cut) << cut.error().message();
    EXPECT_EQ(cut->model.problems.at(0).severity, Severity::Error);
    EXPECT_THAT(cut->model.problems.at(0).message(), HasSubstr("end of trees"));
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    EXPECT_FALSE(lightgbm::readIndex(inMemory("a.txt", lightgbmText.substr(0, 200)), {}, strict));
    const auto bent = lightgbm::readIndex(inMemory("a.txt", "tree\nversion=v4\nTree=0\nleaf_value=1 x\n"), {}, {});
    ASSERT_FALSE(bent);
    EXPECT_THAT(bent.error().message(), HasSubstr("line 4"));
    EXPECT_FALSE(lightgbm::readIndex(inMemory("a.txt", "no tree"), {}, {}));
    test::cutAndBend(lightgbm::readIndex, nullptr, inMemory("a.txt", lightgbmText), 0, test::toBytes(lightgbmText));
}

template <typename T>
std::string number(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// Writes a FlatBuffer forwards: tables whose fields all take four bytes, and what these lead to.
class FlatWriter {
public:
    std::string bytes = std::string(4, '\0'); // the place of the root

    std::size_t table(const std::vector<unsigned>& slots) {
        align();
        const std::size_t vtable = bytes.size();
        std::vector<std::uint16_t> offsets(slots.back() + 1);
        for (std::size_t i = 0; i < slots.size(); ++i) offsets[slots[i]] = static_cast<std::uint16_t>(4 + 4 * i);
        bytes +=
            number(static_cast<std::uint16_t>(4 + 2 * offsets.size())) + number(static_cast<std::uint16_t>(4 + 4 * slots.size()));
        for (const std::uint16_t offset : offsets) bytes += number(offset);
        align();
        const std::size_t position = bytes.size();
        bytes += number(static_cast<std::int32_t>(position - vtable)) + std::string(4 * slots.size(), '\0');
        return position;
    }
    std::size_t list(std::size_t count, const std::string& content) {
        align();
        bytes += number(static_cast<std::uint32_t>(count)) + content;
        return bytes.size() - content.size() - 4;
    }
    void link(std::size_t at, std::size_t target) { bytes.replace(at, 4, number(static_cast<std::uint32_t>(target - at))); }
    void text(std::size_t at, const std::string& content) { link(at, list(content.size(), content + std::string(1, '\0'))); }

private:
    void align() { bytes.resize((bytes.size() + 3) / 4 * 4); }
};

// Two trees with three leaves, a numeric feature with two borders, and one fact.
std::string catboostModel() {
    FlatWriter flat;
    const std::size_t root = flat.table({0, 1, 2});
    flat.link(0, root);
    flat.text(root + 4, "FlabuffersModel_v1");
    const std::size_t trees = flat.table({0, 1, 2, 5, 8});
    flat.link(root + 8, trees);
    flat.bytes.replace(trees + 4, 4, number(1));
    flat.link(trees + 8, flat.list(1, number(7)));
    flat.link(trees + 12, flat.list(2, number(1) + number(0)));
    const std::size_t features = flat.list(1, std::string(4, '\0'));
    flat.link(trees + 16, features);
    flat.link(trees + 20, flat.list(3, number(0.5) + number(-1.0) + number(2.0)));
    const std::size_t feature = flat.table({3, 4});
    flat.link(features + 4, feature);
    flat.link(feature + 4, flat.list(2, number(0.25f) + number(0.75f)));
    flat.text(feature + 8, "age");
    const std::size_t facts = flat.list(1, std::string(4, '\0'));
    flat.link(root + 12, facts);
    const std::size_t fact = flat.table({0, 1});
    flat.link(facts + 4, fact);
    flat.text(fact + 4, "model_guid");
    flat.text(fact + 8, "1-2-3");
    return "CBM1" + number(static_cast<std::uint32_t>(flat.bytes.size())) + flat.bytes;
}

TEST(CatBoost, TheArraysOfTheTreesAreReadInPlace) {
    const std::string content = catboostModel();
    ASSERT_TRUE(catboost::sniff(test::toBytes(content)));
    const auto sources = inMemory("a.cbm", content);
    auto index = catboost::readIndex(sources, {}, {});
    ASSERT_TRUE(index) << index.error().message();
    Model model = formats::modelFromIndex(std::move(*index), sources);
    EXPECT_EQ(model.format, FormatId::CatBoost);
    EXPECT_EQ(model.version, "FlabuffersModel_v1");
    EXPECT_THAT(valuesOf(model, "trees.leaf_values"), ElementsAre(0.5f, -1, 2));
    EXPECT_THAT(valuesOf(model, "trees.splits"), ElementsAre(7));
    EXPECT_THAT(valuesOf(model, "trees.sizes"), ElementsAre(1, 0));
    EXPECT_THAT(valuesOf(model, "borders.0.age"), ElementsAre(0.25f, 0.75f));
    EXPECT_EQ(factOf(model, "trees"), "2");
    EXPECT_EQ(factOf(model, "model_guid"), "1-2-3");
}

TEST(CatBoost, DamageIsRefused) {
    const auto refusal = [](const std::string& content) {
        const auto index = catboost::readIndex(inMemory("a.cbm", content), {}, {});
        return index ? std::string("none") : index.error().message();
    };
    const std::string content = catboostModel();
    EXPECT_THAT(refusal("CBM2" + content.substr(4)), HasSubstr("is not a CatBoost model"));
    EXPECT_THAT(refusal(content.substr(0, content.size() - 1)), HasSubstr("is cut"));
    EXPECT_THAT(refusal("CBM1" + number(4u) + std::string(4, '\xFF')), HasSubstr("offset"));
    test::cutAndBend(catboost::readIndex, nullptr, inMemory("a.cbm", content), 0, test::toBytes(content));
}

} // namespace
} // namespace wb
