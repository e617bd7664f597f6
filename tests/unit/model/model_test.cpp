// SPDX-License-Identifier: MIT
#include "core/model/model.h"
#include "core/model/parameters.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <limits>

namespace wb {
namespace {

TensorInfo tensor(std::uint64_t elements, std::uint64_t bytes, bool logical = false) {
    TensorInfo info;
    info.shape = *Shape::make({elements});
    info.source = TensorSource::stored(0, 0, bytes);
    info.logical = logical;
    return info;
}

TEST(Model, TotalsCountStoredTensorsOnly) {
    Model model;
    EXPECT_EQ(model.parameters(), 0u);
    model.tensors = {tensor(10, 40), tensor(5, 10), tensor(1000, 4000, true)};
    EXPECT_EQ(model.parameters(), 15u);
    EXPECT_EQ(storedParameters(model), 15u);
    EXPECT_EQ(model.tensorBytes(), 50u);
}

TEST(Model, CountsPackedWeightsByTheirDecodedElements) {
    const auto details = std::make_shared<TensorDetails>();
    details->parts = {"w.qweight", "w.scales"};
    details->bitsPerWeight = 6;
    Model model;
    for (const auto& [name, elements] : {std::pair("w.qweight", 10u), {"w.scales", 5u}, {"bias", 7u}}) {
        model.tensors.push_back(tensor(elements, 4 * elements));
        model.tensors.back().name = name;
    }
    model.tensors.push_back(tensor(80, 60, true));
    model.tensors.back().details = details;
    EXPECT_EQ(model.parameters(), 87u);
    EXPECT_EQ(storedParameters(model), 22u);
    details->bitsPerWeight.reset(); // an adapter's product: its parts are what it consists of
    EXPECT_EQ(model.parameters(), 22u);
}

TEST(Model, CountsOneOfSeveralCheckpoints) {
    Model model;
    for (const char* group : {"step-1", "step-2"}) {
        auto details = std::make_shared<TensorDetails>();
        details->group = group;
        model.tensors.push_back(tensor(10, 40));
        model.tensors.back().name = "w";
        model.tensors.back().details = details;
    }
    EXPECT_EQ(model.parameters(), 10u);
    EXPECT_EQ(storedParameters(model), 20u);
}

TEST(Model, CountsNoTrainingState) {
    for (const char* name :
         {"optimizer_state_dict.state.1.exp_avg", "optimizer_states.0.state.0.step", "optimizer/vars/10",
          "opt_state.0.mu.dense.kernel", "optimizer_weights/adam/iteration", "rng", "cuda_rng_state", "state.0.momentum_buffer",
          "lr_schedulers.0.base", "net/w/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE", "layers/dropout/seed_generator/vars/0",
          "dense/kernel/Adam_1"})
        EXPECT_TRUE(isTrainingState(name)) << name;
    for (const char* name :
         {"model_state_dict.blocks.0.steps", "state_dict.net.0.weight", "params.dense.kernel", "norm.scale",
          "model.layers.0.self_attn.q_proj.weight", "blk.0.attn_q.weight", "state.weight", "encoder.scheduler.w"})
        EXPECT_FALSE(isTrainingState(name)) << name;
    Model model;
    model.tensors = {tensor(10, 40), tensor(20, 80)};
    model.tensors[1].name = "optimizer.state.0.exp_avg";
    EXPECT_EQ(model.parameters(), 10u);
    EXPECT_EQ(storedParameters(model), 30u);
}

TEST(Model, TotalsSaturate) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    Model model;
    model.tensors = {tensor((1ULL << 63) - 1, most - 1), tensor((1ULL << 63) - 1, 1), tensor(5, 1)};
    EXPECT_EQ(model.tensorBytes(), most);
    EXPECT_EQ(model.parameters(), most);
}

TEST(TensorInfo, NamesTypesThisProgramDoesNotKnow) {
    TensorInfo info;
    EXPECT_EQ(info.dtypeName(), "UNKNOWN");
    info.typeText = "type 57";
    EXPECT_EQ(info.dtypeName(), "type 57");
    info.dtype = Dtype::Q4_K;
    EXPECT_EQ(info.dtypeName(), "Q4_K");
}

TEST(SortProblems, PutsErrorsFirstThenFileThenByte) {
    std::vector<Problem> problems = {
        makeProblem(Severity::Note, "t.n", "a", 1, ""),    makeProblem(Severity::Error, "t.e2", "b", 5, ""),
        makeProblem(Severity::Warning, "t.w", "a", 0, ""), makeProblem(Severity::Error, "t.e1", "b", 2, ""),
        makeProblem(Severity::Error, "t.e0", "a", 9, ""),  makeProblem(Severity::Note, "t.m", "", {}, ""),
    };
    sortProblems(problems);
    std::string order;
    for (const Problem& problem : problems) order += std::string(problem.code.id()) + " ";
    EXPECT_EQ(order, "t.e0 t.e1 t.e2 t.w t.m t.n ");
}

TEST(OpenFile, GivesTheFileThatWasIndexed) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("a.bin", "content");
    Model model;
    model.folder = folder.path();
    model.files = {{"a.bin", 7, io::FileSource::open(path).value()->identity(), nullptr}};
    EXPECT_EQ(openFile(model, 0).value()->size(), 7u);
    std::filesystem::resize_file(path, 3);
    EXPECT_EQ(openFile(model, 0).error().code, ErrorCode::Changed);
    std::filesystem::remove(path);
    EXPECT_EQ(openFile(model, 0).error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace wb
