// SPDX-License-Identifier: MIT
#include "core/stats/contents/name_tree.h"

#include "core/model/natural_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace wb::stats {
namespace {

struct Named {
    Contents contents;
    std::vector<std::uint32_t> ranks;

    explicit Named(const std::vector<std::string>& names) {
        auto model = std::make_shared<Model>();
        for (const std::string& name : names) {
            TensorInfo& tensor = model->tensors.emplace_back();
            tensor.name = name;
            tensor.dtype = Dtype::F32;
            tensor.shape = *Shape::make({4});
            tensor.source = TensorSource::stored(0, 0, 16);
        }
        ranks = naturalRanks(model->tensors);
        contents = modelContents(std::move(model));
    }

    std::vector<NameNode> tree() const {
        std::vector<std::uint32_t> all(contents.count());
        std::iota(all.begin(), all.end(), 0u);
        return buildNameTree(contents, ranks, all);
    }
};

std::vector<std::string> nodesChildren(const std::vector<NameNode>& nodes, std::uint32_t node) {
    std::vector<std::string> names;
    for (const std::uint32_t child : nodes[node].children) names.emplace_back(nodes[child].component);
    return names;
}

TEST(NameTree, GroupsByDottedNamesInNaturalOrder) {
    const Named named({"blk.10.a.weight", "blk.2.a.weight", "blk.2.b", "output"});
    const auto nodes = named.tree();
    EXPECT_THAT(nodesChildren(nodes, 0), testing::ElementsAre("blk", "output"));
    const std::uint32_t block = nodes[0].children[0];
    EXPECT_THAT(nodesChildren(nodes, block), testing::ElementsAre("2", "10.a.weight")) << "what does not branch is one node";
    EXPECT_THAT(nodesChildren(nodes, nodes[block].children[0]), testing::ElementsAre("a.weight", "b"));
    EXPECT_EQ(nodes[block].tensors, 3u);
    EXPECT_EQ(nodes[0].bytes, 64u);
    EXPECT_EQ(nodes[0].dtype, Dtype::F32);
}

TEST(NameTree, KeepsATensorThatIsAlsoAGroup) {
    const Named named({"a", "a.b", "a.c"});
    const auto nodes = named.tree();
    ASSERT_THAT(nodesChildren(nodes, 0), testing::ElementsAre("a"));
    EXPECT_EQ(nodes[nodes[0].children[0]].tensor, 0u);
    EXPECT_THAT(nodesChildren(nodes, nodes[0].children[0]), testing::ElementsAre("b", "c"));
}

TEST(NameTree, BoundsItsDepth) {
    std::string name = "a";
    for (int i = 0; i < 5000; ++i) name += ".a";
    const auto nodes = Named({name, name + ".b"}).tree();
    EXPECT_LT(nodes.size(), 200u);
}

} // namespace
} // namespace wb::stats
