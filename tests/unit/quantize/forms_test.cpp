// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/model/recipe.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::quantize {
namespace {

constexpr std::uint64_t side = 256; // of the matrices of the small model
constexpr std::uint64_t matrixBytes = side * side * sizeof(float);

// The elements of another tensor.
class Same final : public F32Recipe {
public:
    explicit Same(std::string name) : m_inputs{std::move(name)} {}
    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader>, Dtype, const Shape&) const override { return {}; }
    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        std::vector<std::byte> scratch;
        return inputs[0].readF32(first, out, scratch);
    }

private:
    std::vector<std::string> m_inputs;
};

TensorInfo& tensor(Model& model, std::string_view name) { return *std::ranges::find(model.tensors, name, &TensorInfo::name); }

std::vector<float> infoValues(const Model& model, const TensorInfo& info) {
    std::vector<float> values(info.shape.elements());
    std::vector<std::byte> scratch;
    EXPECT_TRUE(TensorReader::open(model, info)->readF32(0, values, scratch));
    return values;
}

std::vector<std::byte> quantized(ModelPtr model, const std::filesystem::path& target) {
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    const auto plan = planQuantize(std::move(model), request);
    EXPECT_TRUE(plan) << plan.error().message();
    if (!plan) return {};
    const auto outcome = runQuantize(*plan, target, {}, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return test::readFile(target);
}

// One tensor lies column by column in another file, one in two pieces of two files, one is computed from a third.
TEST(Quantize, DoesNotDependOnTheFormOfTheSources) {
    const test::TemporaryFolder folder;
    const ModelPtr opened = openStrict(writeSmallModel(folder, 1));
    Model stored = *opened;
    tensor(stored, "blk.0.ffn_up.weight").source = tensor(stored, "blk.0.attn_v.weight").source;

    Model forms = *opened;
    const std::vector<float> down = infoValues(*opened, tensor(forms, "blk.0.ffn_down.weight"));
    const std::vector<float> value = infoValues(*opened, tensor(forms, "blk.0.attn_v.weight"));
    std::vector<float> extra;
    for (std::uint64_t column = 0; column < side; ++column)
        for (std::uint64_t row = 0; row < side; ++row) extra.push_back(down[row * side + column]);
    extra.insert(extra.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(100 * side));
    const auto path = folder.file("extra.bin", {reinterpret_cast<const char*>(extra.data()), extra.size() * sizeof(float)});
    const auto file = static_cast<std::uint32_t>(forms.files.size());
    forms.files.push_back(namedFile(path, io::FileSource::open(path).value()));
    tensor(forms, "blk.0.ffn_down.weight").source = TensorSource::strided(file, 0, {1, side}, matrixBytes);
    const TensorPlace place = tensor(forms, "blk.0.attn_v.weight").source.place();
    tensor(forms, "blk.0.attn_v.weight").source = TensorSource::pieces(
        {{file, matrixBytes, 100 * side}, {place.file, *place.offset + 100 * side * sizeof(float), 156 * side}}, matrixBytes);
    tensor(forms, "blk.0.ffn_up.weight").source = TensorSource::recipe(std::make_shared<Same>("blk.0.attn_v.weight"), matrixBytes);

    const auto expected = quantized(std::make_shared<const Model>(std::move(stored)), folder.path() / "stored.gguf");
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(quantized(std::make_shared<const Model>(forms), folder.path() / "forms.gguf"), expected);

    tensor(forms, "blk.0.ffn_up.weight").source.makeUnavailable(Reason("test.missing"), "its file is missing");
    const auto refused = planQuantize(std::make_shared<const Model>(std::move(forms)), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
}

} // namespace
} // namespace wb::quantize
