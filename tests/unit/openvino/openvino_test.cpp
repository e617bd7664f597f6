// SPDX-License-Identifier: MIT
#include "core/formats/openvino/openvino.h"

#include "core/formats/packed/packed.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <fmt/format.h>

namespace wb::openvino {
namespace {

using testing::HasSubstr;

// A network of two constants, 16 bytes of F32 and 4 of U4, of which the second is the compressed weight of "mm".
std::string network(std::string_view weightShape = "2, 4") {
    return fmt::format(R"(<?xml version="1.0"?><net name="n" version="11"><layers>
<layer id="0" name="b" type="Const" version="opset1"><data element_type="f32" shape="4" offset="0" size="16"/></layer>
<layer id="1" name="w" type="Const" version="opset1"><data element_type="u4" shape="{}" offset="16" size="4"/></layer>
<layer id="2" name="c" type="Convert" version="opset1"/>
<layer id="3" name="s" type="Const" version="opset1"><data element_type="f32" shape="2, 1" offset="0" size="8"/></layer>
<layer id="4" name="m" type="Multiply" version="opset1"><output><port id="2"><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="5" name="mm" type="MatMul" version="opset1"/><layer id="6" name="x" type="Odd" version="mine"/>
</layers><edges><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="0" to-layer="4" to-port="0"/><edge from-layer="3" from-port="0" to-layer="4" to-port="1"/>
<edge from-layer="4" from-port="2" to-layer="5" to-port="1"/></edges></net>)",
                       weightShape);
}

formats::Sources sources(const std::string& xml, std::size_t binBytes = 20) {
    std::vector<std::byte> bin(binBytes);
    for (std::size_t i = 0; i < bin.size(); ++i) bin[i] = static_cast<std::byte>(i % 4 == 3 ? 0x3F : i % 4 == 2 ? 0x80 : 0);
    return {std::make_shared<io::MemorySource>("a.xml", test::toBytes(xml)), std::make_shared<io::MemorySource>("a.bin", bin)};
}

const TensorInfo* find(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

TEST(OpenVino, FixturesAreAsTheirMakersSay) {
    WB_NEED_SHARED("fixtures/runtime/openvino");
    for (const char* name : {"float32", "int8_asym", "int4_asym_g64", "int4_sym_g32", "mxfp4", "mxfp8", "fp8", "nf4", "fp4"}) {
        SCOPED_TRACE(name);
        const auto model = open(test::shared() / "fixtures/runtime/openvino" / (std::string(name) + ".xml"), {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->format, FormatId::OpenVino);
        EXPECT_EQ((*model)->version, "11");
        EXPECT_TRUE((*model)->problems.empty());
        EXPECT_EQ(test::expectStoredTruth(**model, std::string("runtime/openvino/") + name + ".xml"), 0u);
    }
}

TEST(OpenVino, ReadsConstantsAndTheirChains) {
    const auto files = sources(network());
    auto index = readIndex(files, {}, {});
    ASSERT_TRUE(index) << index.error().message();
    const Model model = formats::modelFromIndex(std::move(*index), files, packed::unpack);
    ASSERT_TRUE(find(model, "b") && find(model, "w") && find(model, "mm.weight"));
    EXPECT_EQ(find(model, "w")->dtype, Dtype::U4);
    EXPECT_TRUE(find(model, "mm.weight")->logical);
    const auto reader = TensorReader::open(model, *find(model, "mm.weight"));
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(8);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, values, scratch));
    EXPECT_THAT(values, testing::ElementsAre(0, 0, 0, 0, 0, 8, 15, 3)); // 00 00 80 3F, scales of 1
    EXPECT_THAT(model.problems.at(0).message(), HasSubstr("Odd"));
}

TEST(OpenVino, WithoutItsValuesEveryTensorIsUnavailable) {
    auto files = sources(network());
    files.pop_back();
    const auto index = readIndex(files, {}, {});
    ASSERT_TRUE(index);
    for (const TensorInfo& tensor : index->model.tensors) EXPECT_FALSE(tensor.isReadable());
    EXPECT_THAT(index->model.problems.at(0).message(), HasSubstr(".bin"));
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    EXPECT_FALSE(readIndex(files, {}, strict));
}

TEST(OpenVino, PlacesThatDoNotFitAreProblems) {
    for (const auto& [xml, bytes] : {std::pair{network(), 18u}, std::pair{network("2, 5"), 20u},
                                     std::pair{network("9999999999, 9999999999, 9999999999"), 20u}}) {
        const auto index = readIndex(sources(xml, bytes), {}, {});
        ASSERT_TRUE(index) << index.error().message();
        EXPECT_FALSE(std::ranges::find(index->model.tensors, "w", &TensorInfo::name)->isReadable());
    }
}

TEST(OpenVino, DamagedXmlIsOneSentence) {
    for (const char* xml : {"<net><layers><layer id='x'/></layers></net>", "<net", "<other/>",
                            "<net><layers><layer id='1' type='Const'><data element_type='f32' shape='-1' offset='0' "
                            "size='4'/></layer></layers></net>"}) {
        const auto index = readIndex(sources(xml), {}, {});
        ASSERT_FALSE(index) << xml;
        EXPECT_THAT(index.error().message(), HasSubstr("a.xml"));
    }
}

TEST(OpenVino, IsCutAndBentAtEveryByteWithoutHarm) {
    const std::string xml = network();
    test::cutAndBend(readIndex, packed::unpack, sources(xml), 0, test::toBytes(xml));
    WB_NEED_SHARED("fixtures/runtime/openvino");
    const auto folder = test::shared() / "fixtures/runtime/openvino";
    for (const char* name : {"int4_asym_g64", "types"}) {
        const auto text = test::readFile(folder / (std::string(name) + ".xml")),
                   bin = test::readFile(folder / (std::string(name) + ".bin"));
        const formats::Sources files{test::inMemory("a.xml", text), test::inMemory("a.bin", bin)};
        test::cutAndBend(readIndex, packed::unpack, files, 0, text, {}, 1000);
        test::cutAndBend(readIndex, packed::unpack, files, 1, bin, {}, 200);
    }
}

} // namespace
} // namespace wb::openvino
