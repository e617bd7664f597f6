// SPDX-License-Identifier: MIT
#include "core/formats/pmml/pmml.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

namespace wb::pmml {
namespace {

using testing::HasSubstr;

std::filesystem::path fixtures() { return test::shared() / "fixtures/runtime/pmml"; }

Result<formats::Index> read(const std::string& text) {
    return readIndex({std::make_shared<io::MemorySource>("a.pmml", test::toBytes(text))}, {}, {});
}

TEST(Pmml, FixturesAreAsTheirMakersSay) {
    WB_NEED_SHARED("fixtures/runtime/pmml");
    for (const char* name : {"regression.pmml", "neural.pmml", "tree.pmml"}) {
        SCOPED_TRACE(name);
        const auto model = open(fixtures() / name, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->version, "4.4");
        EXPECT_EQ(test::expectTruth(**model, std::string("runtime/pmml/") + name), 0u);
    }
    const auto tree = open(fixtures() / "tree.pmml", {});
    ASSERT_TRUE(tree && (*tree)->metadata.find("tree.nodes") && (*tree)->metadata.find("tree.depth"));
    EXPECT_EQ((*tree)->metadata.find("tree.nodes")->unsignedNumber(), 4u);
    EXPECT_EQ((*tree)->metadata.find("tree.depth")->unsignedNumber(), 3u);
}

TEST(Pmml, SegmentsAndClustersHaveTheirOwnNames) {
    const auto index = read("<PMML version='4.4'><MiningModel modelName='m'><Segmentation>"
                            "<Segment><RegressionModel><RegressionTable intercept='1'/></RegressionModel></Segment>"
                            "<Segment><RegressionModel><RegressionTable intercept='2'/></RegressionModel></Segment>"
                            "</Segmentation></MiningModel><ClusteringModel modelName='c'>"
                            "<Cluster><Array n='2' type='real'>1 2</Array></Cluster><Cluster><Array n='2' type='real'>3 4</Array>"
                            "</Cluster></ClusteringModel></PMML>");
    ASSERT_TRUE(index) << index.error().message();
    std::vector<std::string> names;
    for (const TensorInfo& tensor : index->model.tensors) names.push_back(tensor.name);
    EXPECT_THAT(names, testing::ElementsAre("model1.intercept", "model1.coefficients", "model2.intercept", "model2.coefficients",
                                            "c.centers"));
    EXPECT_EQ(index->model.tensors.back().shape, Shape::make({2, 2}));
}

TEST(Pmml, DamagedDocumentsAreOneSentence) {
    for (const char* text : {"<PMML>", "<other/>", "<PMML><!DOCTYPE x [<!ENTITY a 'b'>]></PMML>", ""}) {
        const auto index = read(text);
        ASSERT_FALSE(index) << text;
        EXPECT_THAT(index.error().message(), HasSubstr("a.pmml"));
    }
}

TEST(Pmml, IsCutAndBentAtEveryByteWithoutHarm) {
    WB_NEED_SHARED("fixtures/runtime/pmml");
    for (const char* name : {"neural.pmml", "tree.pmml"}) {
        const auto content = test::readFile(fixtures() / name);
        test::cutAndBend(readIndex, nullptr, {test::inMemory("a.pmml", content)}, 0, content);
    }
}

} // namespace
} // namespace wb::pmml
