// SPDX-License-Identifier: MIT
#include "core/convert/plan_job.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "core/merge/arithmetic.h"
#include "core/merge/changes.h"
#include "core/model/tensor_reader.h"
#include "core/tensor/half.h"
#include "tests/unit/convert/folder.h"
#include "tests/unit/convert/plain_merge.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;
using merge::MergeMethod;
using test::Vector;

// A safetensors file of F32 tensors, each given by its shape and values.
struct Stored {
    std::string name;
    std::vector<std::uint64_t> shape;
    Vector values;
};

void writeTensors(const fs::path& path, const std::vector<Stored>& tensors) {
    nlohmann::json header;
    std::string data;
    for (const Stored& tensor : tensors) {
        const std::size_t bytes = tensor.values.size() * sizeof(float);
        header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {data.size(), data.size() + bytes}}};
        data.append(reinterpret_cast<const char*>(tensor.values.data()), bytes);
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::ofstream(path, std::ios::binary) << std::string(reinterpret_cast<const char*>(&length), sizeof length) << text << data;
}

// Reproducible values near a common ground, a few of them equal in magnitude.
Vector valuesFor(std::uint64_t seed, std::size_t count) {
    Vector values(count);
    std::uint64_t state = 77, own = seed * 1000 + 1;
    const auto next = [](std::uint64_t& s) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        return static_cast<float>(static_cast<std::int32_t>(s >> 32)) * 0x1p-31f;
    };
    for (float& value : values) {
        const float ground = next(state), difference = next(own);
        value = ground + (std::abs(difference) < 0.25f ? 0.125f : 0.25f * difference);
    }
    return values;
}

class MergeModels : public testing::Test {
protected:
    static constexpr std::uint64_t rows = 1030, columns = 1024; // more than one piece of a pass, no whole number of slabs

    test::TemporaryFolder m_folder;
    std::vector<Vector> m_values;

    std::string write(std::size_t model, std::uint64_t seed) {
        const fs::path path = m_folder.path() / fmt::format("model{}.safetensors", model);
        m_values.push_back(valuesFor(seed, rows * columns));
        writeTensors(path,
                     {{"model.layers.0.w", {rows, columns}, m_values.back()}, {"model.norm.weight", {16}, valuesFor(seed, 16)}});
        return path.string();
    }

    SafetensorsRequest request(std::size_t others, const merge::MergeSettings& settings, const std::string& out = "out") {
        SafetensorsRequest request;
        m_values.clear();
        request.source = write(0, 1);
        for (std::size_t i = 1; i <= others; ++i) request.merge.models.push_back(write(i, i + 1));
        request.merge.settings = settings;
        request.target = m_folder.path() / (out + ".safetensors");
        request.weights.shardBytes = 0;
        return request;
    }

    Vector run(const SafetensorsRequest& request, unsigned threads = 0) {
        const auto planned = planSafetensors(request, {});
        EXPECT_TRUE(planned) << planned.error().message();
        if (!planned) return {};
        EXPECT_EQ(planned->job->kind(), JobKind::Merge);
        RunOptions options;
        options.threads = threads;
        options.replace = true;
        const auto done = planned->job->run(request.target, options, {});
        EXPECT_TRUE(done) << done.error().message();
        return done ? merged(request.target) : Vector();
    }

    static Vector merged(const fs::path& path) {
        const auto model = formats::open(path, {});
        EXPECT_TRUE(model);
        for (const TensorInfo& tensor : (*model)->tensors) {
            if (tensor.name != "model.layers.0.w") continue;
            Vector values(tensor.shape.elements());
            std::vector<std::byte> scratch;
            EXPECT_TRUE(TensorReader::open(**model, tensor)->readF32(0, values, scratch));
            return values;
        }
        return {};
    }

    // The largest distance in representable numbers.
    static std::int64_t ulps(const Vector& one, const Vector& other) {
        const auto place = [](float value) {
            const auto bits = std::bit_cast<std::int32_t>(value);
            return static_cast<std::int64_t>(bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits);
        };
        std::int64_t most = one.size() == other.size() ? 0 : 1 << 30;
        for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
            most = std::max(most, std::abs(place(one[i]) - place(other[i])));
        return most;
    }
};

TEST_F(MergeModels, AveragesAsThePlainForm) {
    merge::MergeSettings settings{.method = MergeMethod::Linear, .baseWeight = 0.5, .weights = {0.25, 1.5}};
    const Vector average = run(request(2, settings));
    EXPECT_EQ(ulps(average, test::plainLinear(m_values, {0.5f, 0.25f, 1.5f}, true)), 0);
    settings.normalizes = false;
    const Vector sum = run(request(2, settings));
    EXPECT_EQ(ulps(sum, test::plainLinear(m_values, {0.5f, 0.25f, 1.5f}, false)), 0);
}

TEST_F(MergeModels, InterpolatesAlongTheArc) {
    for (const double t : {0.3, 1.0}) {
        const merge::MergeSettings settings{.method = MergeMethod::Slerp, .weights = {1}, .t = t};
        const Vector result = run(request(1, settings));
        EXPECT_LE(ulps(result, test::plainSlerp(m_values[0], m_values[1], t)), 1) << t;
    }
    EXPECT_EQ(merge::slerpFactors(0.25, 4, 4, 4 * 0.9999).base, 0.75); // nearly parallel
    EXPECT_DOUBLE_EQ(merge::slerpFactors(0.25, 0, 4, 0).base, std::sin(0.75 * std::acos(0.0)));
}

TEST_F(MergeModels, AddsDifferences) {
    const merge::MergeSettings settings{.method = MergeMethod::TaskArithmetic, .weights = {0.5, -0.25}, .lambda = 0.75};
    const Vector result = run(request(2, settings));
    EXPECT_EQ(ulps(result, test::plainTies(m_values, {0.5f, -0.25f}, 1, 0.75f, false, false)), 0);
}

// Many differences have the magnitude of the threshold: the first ones stay.
TEST_F(MergeModels, ElectsTheSignsOfTheLargestDifferences) {
    for (const double density : {0.5, 0.2, 1e-9}) {
        const merge::MergeSettings settings{.method = MergeMethod::Ties, .weights = {1, 0.5, 0.75}, .density = density};
        const Vector result = run(request(3, settings));
        EXPECT_EQ(ulps(result, test::plainTies(m_values, {1, 0.5f, 0.75f}, density, 1, true, true)), 0) << density;
    }
}

TEST_F(MergeModels, DropsDifferencesByTheMask) {
    merge::MergeSettings settings{.method = MergeMethod::DareLinear, .weights = {0.5, 0.25}, .density = 0.4, .seed = 7};
    const Vector result = run(request(2, settings));
    std::size_t kept = 0;
    double mean = 0, wanted = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        float sum = 0;
        for (std::uint64_t m = 0; m < 2; ++m) {
            const bool keeps = merge::maskKeeps(merge::maskKey(7, m, "model.layers.0.w"), i, 0.4);
            const float difference = keeps ? (m_values[m + 1][i] - m_values[0][i]) / 0.4f : 0;
            sum += difference * (m == 0 ? 0.5f : 0.25f);
            kept += m == 0 && keeps;
            wanted += (m == 0 ? 0.5 : 0.25) * (m_values[m + 1][i] - m_values[0][i]);
        }
        ASSERT_EQ(result[i], m_values[0][i] + sum) << i;
        mean += sum;
    }
    const double count = static_cast<double>(result.size()), sigma = std::sqrt(0.4 * 0.6 / count);
    EXPECT_NEAR(static_cast<double>(kept) / count, 0.4, 4 * sigma);
    EXPECT_NEAR(mean / count, wanted / count, 4e-3);
    settings.seed = 8;
    EXPECT_NE(run(request(2, settings)), result);
    settings.rescale = merge::MergeRescale::L1;
    double before = 0, after = 0;
    settings.weights = {1};
    const Vector scaled = run(request(1, settings));
    for (std::size_t i = 0; i < scaled.size(); ++i) {
        before += std::abs(m_values[1][i] - m_values[0][i]);
        after += std::abs(double{scaled[i]} - m_values[0][i]);
    }
    EXPECT_NEAR(after / before, 1, 1e-5);
}

// Threads take part in the passes over a tensor in any number and order.
TEST_F(MergeModels, DoNotDependOnThreads) {
    for (const MergeMethod method : {MergeMethod::Slerp, MergeMethod::Ties, MergeMethod::DareTies}) {
        merge::MergeSettings settings{.method = method, .weights = {0.7}};
        if (merge::dropsDifferences(method)) settings.density = 0.3;
        if (merge::dropsAtRandom(method)) settings.rescale = merge::MergeRescale::L1;
        const SafetensorsRequest wanted = request(1, settings);
        run(wanted, 1);
        const auto one = test::readFile(wanted.target);
        for (const unsigned threads : {2u, 7u}) {
            run(wanted, threads);
            EXPECT_TRUE(test::readFile(wanted.target) == one) << name(method) << " " << threads;
        }
    }
}

TEST_F(MergeModels, FollowRulesAndGradients) {
    merge::MergeSettings settings{.method = MergeMethod::Linear, .baseWeight = 0, .weights = {1}};
    for (const char* const rule : {"layers.0:weight=0", "layers:weight=5"}) settings.rules.push_back(*merge::parseMergeRule(rule));
    settings.normalizes = false;
    const Vector result = run(request(1, settings)); // the first rule that matches holds
    EXPECT_TRUE(std::ranges::all_of(result, [](float value) { return value == 0; }));
    settings.rules = {*merge::parseMergeRule("norm:weight=3,1"), *merge::parseMergeRule("layers:weight=3,1")};
    const Vector spread = run(request(1, settings));
    EXPECT_EQ(ulps(spread, test::plainLinear(m_values, {0, 3}, false)), 0);
}

TEST_F(MergeModels, ReportHowMuchChanged) {
    const merge::MergeSettings settings{.method = MergeMethod::Linear, .baseWeight = 1, .weights = {1}};
    const auto planned = planSafetensors(request(1, settings), {});
    ASSERT_TRUE(planned);
    const auto changes = merge::mergeChanges(*planned->plan->model, 2, {});
    ASSERT_TRUE(changes);
    ASSERT_EQ(changes->size(), 2);
    double difference = 0, before = 0;
    for (std::size_t i = 0; i < m_values[0].size(); ++i) {
        const double was = m_values[0][i], is = (m_values[0][i] + m_values[1][i]) / 2;
        difference += (is - was) * (is - was);
        before += was * was;
    }
    EXPECT_NEAR(changes->at("model.layers.0.w").relativeChange().value(), std::sqrt(difference / before), 1e-6);
}

// With weights of 1 and 3 the result is three times as far from the one as from the other.
TEST_F(MergeModels, AreComparedWithTheirParents) {
    const merge::MergeSettings settings{.method = MergeMethod::Linear, .baseWeight = 1, .weights = {3}};
    const auto planned = planSafetensors(request(1, settings), {});
    ASSERT_TRUE(planned);
    const auto changes = merge::mergeChanges(*planned->plan->model, 2, {});
    ASSERT_TRUE(changes);
    const merge::TensorChange& change = changes->at("model.layers.0.w");
    ASSERT_EQ(change.parents.size(), 2u);
    EXPECT_EQ(change.parents[1].model, "model1.safetensors");
    EXPECT_EQ(change.parents[0].change.difference2, change.difference2);
    EXPECT_NEAR(std::sqrt(change.parents[0].change.difference2 / change.parents[1].change.difference2), 3, 1e-3);
    double product = 0, result2 = 0, other2 = 0;
    for (std::size_t i = 0; i < m_values[0].size(); ++i) {
        const double is = (m_values[0][i] + 3 * m_values[1][i]) / 4, other = m_values[1][i];
        product += is * other, result2 += is * is, other2 += other * other;
    }
    EXPECT_NEAR(change.parents[1].change.cosine().value(), product / std::sqrt(result2 * other2), 1e-6);
    const merge::TensorChange total = merge::totalChange(*changes);
    ASSERT_EQ(total.parents.size(), 2u);
    EXPECT_GT(total.elements, change.elements);
}

TEST_F(MergeModels, NameAModelThatIsNotFinite) {
    const merge::MergeSettings settings{.method = MergeMethod::Linear, .weights = {1}};
    const SafetensorsRequest wanted = request(1, settings);
    Vector broken = m_values[1];
    broken[70'000] = std::numeric_limits<float>::quiet_NaN();
    writeTensors(wanted.merge.models[0],
                 {{"model.layers.0.w", {rows, columns}, broken}, {"model.norm.weight", {16}, valuesFor(2, 16)}});
    const auto planned = planSafetensors(wanted, {});
    ASSERT_TRUE(planned);
    const auto done = planned->job->run(wanted.target, {}, {});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message().find("model1.safetensors"), std::string::npos) << done.error().message();
    EXPECT_FALSE(fs::exists(wanted.target));
}

TEST_F(MergeModels, RefuseModelsThatDiffer) {
    const merge::MergeSettings settings{.method = MergeMethod::Linear, .weights = {1}};
    const SafetensorsRequest wanted = request(1, settings);
    const auto refusal = [&](const std::vector<Stored>& tensors) {
        writeTensors(wanted.merge.models[0], tensors);
        const auto planned = planSafetensors(wanted, {});
        return planned ? std::string() : planned.error().message();
    };
    const Stored matrix{"model.layers.0.w", {rows, columns}, m_values[1]}, norm{"model.norm.weight", {16}, valuesFor(2, 16)};
    EXPECT_NE(refusal({matrix}).find("model.norm.weight"), std::string::npos);
    EXPECT_NE(refusal({matrix, norm, {"model.other", {1}, {1}}}).find("model.other"), std::string::npos);
    EXPECT_NE(refusal({matrix, {"model.norm.weight", {8}, valuesFor(2, 8)}}).find("[8]"), std::string::npos);
}

TEST_F(MergeModels, SettingsAreChecked) {
    const auto isValid = [](merge::MergeSettings settings) { return checkSettings(settings).has_value(); };
    EXPECT_TRUE(isValid({.weights = {1}}));
    EXPECT_FALSE(isValid({}));
    EXPECT_FALSE(isValid({.baseWeight = 1, .weights = {-1}}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Slerp, .weights = {1, 1}}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Slerp, .weights = {1}, .t = 1.5}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Ties, .weights = {1}, .density = 0}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Linear, .weights = {1}, .density = 0.5}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Layers, .weights = {1}}));
    EXPECT_FALSE(isValid({.method = MergeMethod::Layers, .weights = {1}, .layers = {{2, 0, 1}}}));
    EXPECT_FALSE(merge::parseMergeRule("x:height=1"));
    EXPECT_FALSE(merge::parseMergeRule("(:weight=1"));
    EXPECT_FALSE(merge::parseMergeRule("x:density=2"));
    EXPECT_EQ(settingText(*merge::parseMergeRule("a:b:weight=1,0.5")), "a:b:weight=1,0.5");
    EXPECT_FALSE(merge::parseLayerSlices("A:0-1,2-3"));
    EXPECT_FALSE(merge::parseLayerSlices("A:0-1x"));
    EXPECT_EQ(settingText(*merge::parseLayerSlices("A:0-15,B:8")), "A:0-15,B:8-8");
}

// Through the plan file, as a run that continues after a restart goes.
TEST_F(MergeModels, ArePlannedAgainFromTheirPlanFile) {
    merge::MergeSettings settings{.method = MergeMethod::DareTies, .weights = {0.5, 2}, .density = 0.25, .lambda = 0.5, .seed = 3};
    settings.rules = {*merge::parseMergeRule("norm:density=1")};
    settings.normalizes = true;
    const SafetensorsRequest wanted = request(2, settings);
    const auto planned = planSafetensors(wanted, {});
    ASSERT_TRUE(planned);
    const auto saved = parseSavedPlan(planned->job->planText(), "plan.json");
    ASSERT_TRUE(saved) << saved.error().message();
    const auto& file = std::get<WeightsPlanFile>(*saved);
    EXPECT_EQ(file.merge, wanted.merge);
    const auto again = planSafetensors(requestFromPlan(file, wanted.source, wanted.target), {});
    ASSERT_TRUE(again);
    EXPECT_EQ(*again->job->fingerprint(), *planned->job->fingerprint());
    settings.seed = 4;
    const auto other = planSafetensors(request(2, settings), {});
    ASSERT_TRUE(other);
    EXPECT_NE(*other->job->fingerprint(), *planned->job->fingerprint());
}

TEST_F(MergeModels, CanceledRunsResume) {
    const merge::MergeSettings settings{.method = MergeMethod::Ties, .weights = {1}, .density = 0.5};
    const SafetensorsRequest wanted = request(1, settings);
    run(wanted);
    const auto whole = test::readFile(wanted.target);
    fs::remove(wanted.target);
    const auto planned = planSafetensors(wanted, {});
    ASSERT_TRUE(planned);
    std::stop_source stop;
    RunOptions options;
    options.threads = 1;
    options.flushBytes = 1;
    const Progress progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t total) {
                                if (done > total / 2) stop.request_stop();
                            }};
    const auto canceled = planned->job->run(wanted.target, options, progress);
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
    EXPECT_FALSE(fs::exists(wanted.target));
    const auto done = planned->job->run(wanted.target, options, {});
    ASSERT_TRUE(done) << done.error().message();
    EXPECT_GT(done->resumedItems, 0);
    EXPECT_TRUE(test::readFile(wanted.target) == whole);
}

// Another model like the small folder: other weights, and what `edit` changes.
SmallFolder sibling(const std::function<void(const std::string&, std::string&)>& edit = {}) {
    return SmallFolder([&](const std::string& name, std::string& text) {
        if (name == "model.safetensors") {
            std::uint64_t header = 0;
            std::memcpy(&header, text.data(), sizeof header);
            for (std::size_t i = sizeof header + header; i < text.size(); i += 2) text[i] = static_cast<char>(text[i] * 7 + 3);
        }
        if (edit) edit(name, text);
    });
}

SafetensorsRequest folderRequest(const SmallFolder& base, const SmallFolder& other, MergeMethod method, const fs::path& target) {
    SafetensorsRequest request;
    request.source = base.folder.path();
    request.target = target;
    request.weights.isFolder = true;
    request.merge.models = {other.folder.path().string()};
    request.merge.settings.method = method;
    request.merge.settings.weights = {1};
    return request;
}

TEST(MergeFolders, BecomeGgufInOnePass) {
    const SmallFolder base, other = sibling();
    const test::TemporaryFolder out;
    const SafetensorsRequest folder = folderRequest(base, other, MergeMethod::Linear, out.path() / "hf");
    const auto job = planJob(folder, {});
    ASSERT_TRUE(job) << job.error().message();
    ASSERT_TRUE((*job)->run(folder.target, {}, {}));
    GgufRequest request;
    request.source = base.folder.path();
    request.folder.merge = folder.merge;
    request.folder.modelName = "Same";
    request.quantize.mix.fileType = gguf::FileType::Q8_0;
    const GgufPlanned direct = planGguf(request, {});
    ASSERT_TRUE(direct.job) << direct.failure->message();
    EXPECT_EQ(direct.job->kind(), JobKind::Merge);
    ASSERT_TRUE(direct.job->run(out.path() / "one.gguf", {}, {}));
    GgufRequest second = request;
    second.source = folder.target;
    second.folder.merge = {};
    const GgufPlanned twice = planGguf(second, {});
    ASSERT_TRUE(twice.job) << twice.failure->message();
    ASSERT_TRUE(twice.job->run(out.path() / "two.gguf", {}, {}));
    EXPECT_TRUE(test::readFile(out.path() / "one.gguf") == test::readFile(out.path() / "two.gguf"));
    const auto saved = parseSavedPlan(direct.job->planText(), "plan.json");
    ASSERT_TRUE(saved) << saved.error().message();
    EXPECT_EQ(std::get<quantize::PlanFile>(*saved).folder.merge, folder.merge);
}

TEST(MergeFolders, TakeLayersOneAfterAnother) {
    const SmallFolder base, other = sibling();
    const test::TemporaryFolder out;
    SafetensorsRequest request = folderRequest(base, other, MergeMethod::Layers, out.path() / "hf");
    request.merge.settings.layers = *merge::parseLayerSlices("A:0-1,B:1-1,A:0-0");
    const auto job = planJob(request, {});
    ASSERT_TRUE(job) << job.error().message();
    ASSERT_TRUE((*job)->run(request.target, {}, {}));
    const auto config = nlohmann::json::parse(std::ifstream(request.target / "config.json"));
    EXPECT_EQ(config["num_hidden_layers"], 4);
    const auto bytes = [](const fs::path& folder, const std::string& name) {
        const auto model = formats::open(folder, {});
        std::vector<std::byte> raw;
        for (const TensorInfo& tensor : (*model)->tensors) {
            if (tensor.name != name) continue;
            const auto reader = TensorReader::open(**model, tensor);
            raw.resize(reader->byteCount(reader->elements()));
            EXPECT_TRUE(reader->readRaw(0, reader->elements(), raw));
        }
        EXPECT_FALSE(raw.empty()) << name;
        return raw;
    };
    const std::string part = ".mlp.up_proj.weight", layer = "model.layers.";
    EXPECT_TRUE(bytes(request.target, layer + "2" + part) == bytes(other.folder.path(), layer + "1" + part));
    EXPECT_TRUE(bytes(request.target, layer + "3" + part) == bytes(base.folder.path(), layer + "0" + part));
    EXPECT_TRUE(planFolder(request.target));
    request.merge.settings.layers = *merge::parseLayerSlices("A:0-1,B:1-2");
    const auto refused = planJob(request, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("layer 2"), std::string::npos) << refused.error().message();
}

TEST(MergeFolders, AskForATokenizerIfVocabulariesDiffer) {
    const SmallFolder base, other = sibling([](const std::string& name, std::string& text) {
                                if (name == "tokenizer.json") text.replace(text.find("\"abc\""), 5, "\"xyz\"");
                            });
    const test::TemporaryFolder out;
    SafetensorsRequest request = folderRequest(base, other, MergeMethod::Linear, out.path() / "hf");
    const auto refused = planJob(request, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason("merge.vocabularies_differ"));
    request.merge.tokenizer = request.merge.models[0];
    const auto job = planJob(request, {});
    ASSERT_TRUE(job) << job.error().message();
    ASSERT_TRUE((*job)->run(request.target, {}, {}));
    EXPECT_TRUE(test::readFile(request.target / "tokenizer.json") == test::readFile(other.folder.path() / "tokenizer.json"));
    request.merge.tokenizer = "base";
    EXPECT_TRUE(planJob(request, {}));
    request.merge.tokenizer = "/nowhere";
    EXPECT_FALSE(planJob(request, {}));
}

TEST(MergeFolders, RefuseAnotherArchitecture) {
    const SmallFolder base, other = sibling([](const std::string& name, std::string& text) {
                                if (name == "config.json")
                                    text.replace(text.find("\"model_type\": \"llama\""), 21, "\"model_type\": \"qwen2\"");
                            });
    const test::TemporaryFolder out;
    const auto refused = planJob(folderRequest(base, other, MergeMethod::Linear, out.path() / "hf"), {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("qwen2"), std::string::npos);
}

} // namespace
} // namespace wb::convert
