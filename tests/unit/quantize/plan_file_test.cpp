// SPDX-License-Identifier: MIT
#include "core/convert/quantize/plan_file.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

namespace wb::quantize {
namespace {

struct Saved {
    QuantizePlan plan;
    std::string text;
};

Saved savedPlan(const ModelPtr& model) {
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    request.types["blk.0.ffn_up.weight"] = Dtype::Q8_0;
    auto plan = planQuantize(model, request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message());
    return {*plan, planJson(*plan, request, {}).value_or("")};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(PlanFile, ComesBackAsItWasSaved) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 2));
    const Saved saved = savedPlan(model);
    const auto read = parsePlan(saved.text, "x.plan.json");
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_TRUE(checkPlanFits(*read, *model));
    const auto again = planQuantize(model, read->request);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->files[0].header, saved.plan.files[0].header);
    for (std::size_t i = 0; i < again->tensors.size(); ++i) EXPECT_EQ(again->tensors[i].to, saved.plan.tensors[i].to);
    EXPECT_EQ(planJson(*again, read->request, read->matrix).value_or(""), saved.text);
}

TEST(PlanFile, KeepsTheMatrix) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    const auto plan = planQuantize(model, {});
    const auto read = parsePlan(*planJson(*plan, {}, {"m.dat", {}, {}, {"ffn", "attn"}}), "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->matrix.path, "m.dat");
    EXPECT_EQ(read->matrix.place, io::pathText(std::filesystem::absolute("m.dat"))) << "for another folder";
    EXPECT_EQ(read->matrix.exclude, (std::vector<std::string>{"ffn", "attn"}));
    EXPECT_FALSE(readMatrix(read->matrix, {}));
}

// A plan with a matrix at ia/m.dat in the folder, named as it would be there, and the text of that plan.
struct MatrixPlan {
    explicit MatrixPlan(const test::TemporaryFolder& folder) : root(folder.path()) {
        std::filesystem::create_directories(root / "ia");
        makeMatrix(folder, "ia/m.dat", {{"blk.0.attn_q.weight", std::vector<float>(256, 1.0f)}});
        const auto plan = planQuantize(openStrict(writeSmallModel(folder, 1)), {});
        text = *planJson(*plan, {}, {"ia/m.dat", io::pathText(root / "ia/m.dat"), {}, {}});
    }
    MatrixFile matrix(const std::string& from = {}, const std::string& to = {}) const {
        const auto read = parsePlan(from.empty() ? text : replaced(text, from, to), "x");
        EXPECT_TRUE(read);
        return read ? read->matrix : MatrixFile{};
    }

    std::filesystem::path root;
    std::string text;
};

TEST(PlanFile, FindsTheMatrixFromAnotherFolder) {
    const test::TemporaryFolder folder;
    const MatrixPlan plan(folder);
    const auto read = readMatrix(plan.matrix(), {});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ((*read)->file, "ia/m.dat");
}

// Who edits the name of the file means that file, not the one of before.
TEST(PlanFile, TakesTheMatrixThatItNames) {
    const test::TemporaryFolder folder;
    const MatrixPlan plan(folder);
    const std::string name = "\"file\":\"ia/m.dat\"";
    EXPECT_EQ(plan.matrix(name, "\"file\":\"ib/none.dat\"").place, "");
    EXPECT_EQ(plan.matrix(name, "\"file\":\"a/m.dat\"").place, "") << "whole names of folders count";
    EXPECT_FALSE(readMatrix(plan.matrix(name, "\"file\":\"ib/none.dat\""), {}));
    const std::string other = io::pathText(plan.root / "ib.dat");
    std::filesystem::rename(plan.root / "ia/m.dat", other);
    const auto read = readMatrix(plan.matrix(name, "\"file\":\"" + other + "\""), {});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ((*read)->file, other);
}

TEST(PlanFile, SaysWhereItLookedForTheMatrix) {
    const test::TemporaryFolder folder;
    const MatrixPlan plan(folder);
    std::filesystem::remove(plan.root / "ia/m.dat");
    const auto read = readMatrix(plan.matrix(), {});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::NotFound);
    const std::string sentence = read.error().message();
    EXPECT_NE(sentence.find(io::pathText(plan.root / "ia/m.dat") + " or ia/m.dat"), std::string::npos) << sentence;
}

TEST(PlanFile, KeepsOverridesAndPrunedLayers) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 4));
    QuantizeRequest request;
    for (const char* text : {"a=int:-3", "b=float:1.5", "llama.expert_count=int:8", "c=bool:true", "d=str:x=int:4, \"y\""})
        request.overrides.push_back(*parseKeyOverride(text));
    request.prune = {1, 2};
    const auto plan = planQuantize(model, request);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto read = parsePlan(*planJson(*plan, request, {}), "x");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(checkPlanFits(*read, *model)) << "the model as it is, before layers are left out";
    const auto again = planQuantize(model, read->request);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->files[0].header, plan->files[0].header);
    EXPECT_EQ(again->tensors.size(), plan->tensors.size());
}

std::string whyNotSaved(const QuantizePlan& plan, const MatrixFile& matrix) {
    const auto text = planJson(plan, {}, matrix);
    return text ? "" : text.error().message();
}

// What could not be read again is not saved.
TEST(PlanFile, IsNotSavedWhereItCannotBeKept) {
    const test::TemporaryFolder folder;
    const Shape shape = *Shape::make({4, 256});
    const auto alike =
        planQuantize(openStrict(writeModel(folder, "in.gguf", {gguf::makePair("general.architecture", std::string_view("x"))},
                                           {{"x\xff", shape, Dtype::F32}, {"x\xfe", shape, Dtype::F32}})),
                     {});
    ASSERT_TRUE(alike);
    EXPECT_NE(whyNotSaved(*alike, {}).find("several tensors are named"), std::string::npos);
    const auto plan = planQuantize(openStrict(writeSmallModel(folder, 1)), {});
    EXPECT_NE(whyNotSaved(*plan, {"m\xff.dat", {}, {}, {}}).find("not valid UTF-8"), std::string::npos);
    EXPECT_NE(whyNotSaved(*plan, {"m.dat", "/folder\xff/m.dat", {}, {}}).find("not valid UTF-8"), std::string::npos);
    EXPECT_EQ(whyNotSaved(*plan, {"m.dat", {}, {}, {}}), "");
    QuantizePlan large = *plan;
    large.tensors.resize(200'000, large.tensors[0]);
    EXPECT_NE(whyNotSaved(large, {}).find("200000 tensors"), std::string::npos);
}

TEST(PlanFile, OfTheFirstVersionIsRead) {
    const test::TemporaryFolder folder;
    const Saved saved = savedPlan(openStrict(writeSmallModel(folder, 1)));
    std::string text = replaced(saved.text, "\"weighbridge_plan\":2", "\"weighbridge_plan\":1");
    text = replaced(text, "\"overrides\":[],\"prune_layers\":[],", "");
    const auto read = parsePlan(text, "x");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(read->request.prune.empty() && read->request.overrides.empty());
}

TEST(PlanFile, MayBeginWithTheMarkOfAnEditor) {
    const test::TemporaryFolder folder;
    const Saved saved = savedPlan(openStrict(writeSmallModel(folder, 1)));
    const auto read = readPlan(folder.file("plan.json", "\xEF\xBB\xBF" + saved.text));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->signature, parsePlan(saved.text, "x")->signature);
}

TEST(PlanFile, IsRefusedForAnotherModel) {
    const test::TemporaryFolder folder;
    const Saved saved = savedPlan(openStrict(writeSmallModel(folder, 2)));
    const auto read = parsePlan(saved.text, "x");
    EXPECT_FALSE(checkPlanFits(*read, *openStrict(writeSmallModel(folder, 3))));
}

TEST(PlanFile, RefusesWhatIsWrong) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    const std::string text = savedPlan(model).text;
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"weighbridge_plan\":2", "\"weighbridge_plan\":5"},
             {"\"weighbridge_plan\"", "\"other\""},
             {"\"type\":\"Q4_K_M\"", "\"type\":\"Q9\""},
             {"\"pure\":false", "\"pure\":0"},
             {"\"signature\"", "\"sig\""},
             {"\"overrides\":[]", "\"overrides\":[\"split.no=int:1\"]"},
             {"\"prune_layers\":[]", "\"prune_layers\":[-1]"},
             {"\"prune_layers\":[]", "\"prune\":[]"},
             {"\"imatrix\":null", "\"imatrix\":{\"file\":\"\",\"include\":\"\",\"exclude\":\"\"}"},
             {"\"Q8_0\"", "\"Q8\""},
             {"\"blk.0.ffn_up.weight\"", "\"blk.0.attn_v.weight\""},
             {"}", ""}})
        EXPECT_FALSE(parsePlan(replaced(text, from, to), "x")) << from;
    EXPECT_FALSE(parsePlan("[]", "x"));
    EXPECT_FALSE(parsePlan("", "x"));
}

// The text is fine, but the model cannot do what it says.
TEST(PlanFile, ImpossibleTypesAreRefused) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    const std::string text = savedPlan(model).text;
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"\"output_norm.weight\":\"F32\"", "\"output_norm.weight\":\"Q8_0\""},
                                                          {"\"Q8_0\"", "\"Q8_K\""},
                                                          {"\"Q8_0\"", "\"I32\""}}) {
        const auto read = parsePlan(replaced(text, from, to), "x");
        ASSERT_TRUE(read) << to;
        EXPECT_FALSE(planQuantize(model, read->request)) << to;
    }
}

} // namespace
} // namespace wb::quantize
