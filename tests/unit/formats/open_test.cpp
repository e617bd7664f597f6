// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/model/stored_files.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

class FormatsOpen : public testing::Test {
protected:
    // Writes a file, whose name says nothing, and opens it.
    Result<ModelPtr> open(const std::string& content, const std::string& name = "file.data") const {
        return formats::open(folder.file(name, content));
    }

    // Refused with one line that holds the name, the way out where there is one, and `part`.
    void expectRefused(const Result<ModelPtr>& opened, ErrorCode code, const std::string& part,
                       const std::string& name = "file.data") const {
        ASSERT_FALSE(opened) << name << " was opened";
        EXPECT_EQ(opened.error().code, code) << opened.error().message();
        EXPECT_THAT(opened.error().message(), HasSubstr(name));
        EXPECT_THAT(opened.error().message(), HasSubstr(part));
        EXPECT_THAT(opened.error().message(), testing::Not(HasSubstr("\n")));
    }

    test::TemporaryFolder folder;
};

std::string gguf() { return test::GgufBuilder().pair("general.architecture", "llama").build(); }

std::string safetensors() {
    const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    return test::GgufBuilder().number(std::uint64_t{header.size()}) + header + "1234";
}

TEST_F(FormatsOpen, ContentDecidesAndNotTheName) {
    for (const char* name : {"file.data", "model.safetensors", "model.gguf", "image.png"}) {
        const auto asGguf = open(gguf(), name);
        ASSERT_TRUE(asGguf) << asGguf.error().message();
        EXPECT_EQ((*asGguf)->format, FormatId::Gguf);
        const auto asSafetensors = open(safetensors(), name);
        ASSERT_TRUE(asSafetensors) << asSafetensors.error().message();
        EXPECT_EQ((*asSafetensors)->format, FormatId::Safetensors);
    }
}

TEST_F(FormatsOpen, IndexOpensTheShardsItNames) {
    folder.file("s.safetensors", safetensors());
    const auto opened = open(R"({"metadata":{"total_size":4},"weight_map":{"a":"s.safetensors"}})", "some.json");
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->tensors.size(), 1u);
}

TEST_F(FormatsOpen, FolderOpensAsHuggingFace) {
    folder.file("config.json", R"({"architectures":["LlamaForCausalLM"]})");
    folder.file("model.safetensors", safetensors());
    for (const auto& path : {folder.path(), folder.path() / ""}) {
        const auto opened = formats::open(path);
        ASSERT_TRUE(opened) << opened.error().message();
        EXPECT_EQ((*opened)->format, FormatId::HuggingFace);
    }
}

TEST_F(FormatsOpen, FolderWithoutModelIsRefused) {
    std::filesystem::create_directory(folder.path() / "nothing here");
    for (const char* name : {"nothing here", "nothing here/"})
        expectRefused(formats::open(folder.path() / name), ErrorCode::Unknown, "no supported model folder layout", "nothing here");
}

TEST_F(FormatsOpen, FolderOfAnotherProgramIsNamed) {
    folder.file("saved/.metadata", "x");
    expectRefused(formats::open(folder.path() / "saved"), ErrorCode::Malformed, "PyTorch distributed checkpoint", "saved");
    folder.file("compiled/model.espresso.net", "pbzx");
    folder.file("compiled/model.espresso.weights", "");
    expectRefused(formats::open(folder.path() / "compiled"), ErrorCode::Unsupported, "Core ML", "compiled");
}

TEST_F(FormatsOpen, FolderAroundAModelThatIsNotReadNamesIt) {
    folder.file("model/README.txt", "words\n");
    folder.file("model/model.prototxt", "layer {\n  type: \"Input\"\n}\n");
    expectRefused(formats::open(folder.path() / "model"), ErrorCode::Unsupported, "Caffe", "model");
    folder.file("universal/latest_universal", "global_step3_universal");
    expectRefused(formats::open(folder.path() / "universal"), ErrorCode::NotFound, "DeepSpeed", "universal");
    folder.file("words/README.txt", "words\n");
    expectRefused(formats::open(folder.path() / "words"), ErrorCode::Unknown, "no supported model folder layout", "words");
}

TEST_F(FormatsOpen, FolderAroundOneModelOpensIt) {
    WB_NEED_SHARED("fixtures/runtime/onnx/external");
    const auto onnx = formats::open(test::shared() / "fixtures/runtime/onnx/external");
    ASSERT_TRUE(onnx) << onnx.error().message();
    EXPECT_EQ((*onnx)->format, FormatId::Onnx);
    const auto shards = formats::open(test::shared() / "fixtures/tensorflow/text_sharded");
    ASSERT_TRUE(shards) << shards.error().message();
    folder.file("two/a.onnx", "x");
    folder.file("two/b.onnx", "x");
    expectRefused(formats::open(folder.path() / "two"), ErrorCode::Unknown, "no supported model folder layout", "two");
}

// As pickle.dump(…, protocol=0) of Python 2 and Python 3 writes them.
TEST_F(FormatsOpen, TextPicklesOpenAsPickles) {
    for (const std::string& content :
         {"(dp0\nS'B'\np1\nF-0.26268660809250016\nsS'E'\np2\nF-3.14e+100\ns."s, "(lp0\nI1\naI2\na."s, "(dp0\nVlr\np1\nF0.5\ns."s}) {
        const auto opened = open(content, "prob_start.p");
        ASSERT_TRUE(opened) << opened.error().message();
        EXPECT_EQ((*opened)->format, FormatId::Pickle);
        EXPECT_EQ((*opened)->version, "protocol 0");
    }
}

// numpy.save of a dictionary: an array without dimensions whose element is a pickle. The pickle is of protocol 2, with one array of
// one float.
TEST_F(FormatsOpen, ArraysInsideAnArrayOfObjectsAreListed) {
    const std::string dtype = "cnumpy\ndtype\n(U\2f4K\0K\1tR(K\3U\1<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s;
    const std::string inner =
        "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85U\1btR(K\1K\1\x85"s + dtype + "\x89U\4\0\0\x80\x3ftb"s;
    const std::string objects = "cnumpy\ndtype\n(U\2O8K\0K\1tR(K\3U\1|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftb"s;
    const std::string pickle = "\x80\2cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85U\1btR(K\1)"s + objects +
                               "\x89]}(U\2w1"s + inner + "U\2w2"s + inner + "uatb."s;
    std::string header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }";
    header.resize(117, ' ');
    const auto opened = open("\x93NUMPY\1\0\x76\0"s + header + "\n" + pickle, "weights.npy");
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->format, FormatId::Npy);
    ASSERT_EQ((*opened)->tensors.size(), 2u);
    EXPECT_EQ((*opened)->tensors[0].name, "w1");
    EXPECT_EQ((*opened)->tensors[0].dtype, Dtype::F32);
    EXPECT_TRUE((*opened)->tensors[1].isReadable());
    EXPECT_NE((*opened)->danger, nullptr);
}

// A .npz of one array, by the tool xz.
TEST_F(FormatsOpen, ArchivesInACompressedFileOpen) {
    const std::string hex =
        "fd377a585a0000016922de36020021011c00000010cf58cce000fb00885d002812bc602897d5724ad854ad29a69623b2a3c18591a0e9ac7d8ba84e"
        "0c3a1a5264cedb9268c37cff8bdf6c7a8c648aabcd8335c1f633e1fff6b87ae5f95ea3edb1ee8e329e9e4394425b96fb9b55c8f8b8bc6f38b00e48"
        "1f90646a9eb583faa108080adbd8c8b07d33c3fc3dd35d247b16b9ae77a523a311e61a12bd0ad887759a36a5ecc648a50000bbdb362f0001a001fc"
        "010000ab2f5b2a3e300d8b020000000001595a";
    std::string packed;
    for (std::size_t i = 0; i < hex.size(); i += 2) packed += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    const auto opened = open(packed, "model.npz.xz");
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->format, FormatId::Npz);
    ASSERT_EQ((*opened)->tensors.size(), 1u);
    EXPECT_EQ((*opened)->tensors[0].name, "w");
    EXPECT_TRUE(TensorReader::open(**opened, (*opened)->tensors[0]));
    ASSERT_EQ(storedFiles(**opened).size(), 1u);
    EXPECT_EQ(storedFiles(**opened)[0].name, "model.npz.xz");
    EXPECT_FALSE(open(packed.substr(0, packed.size() / 2), "cut.npz.xz"));
}

TEST_F(FormatsOpen, AFolderOfCTranslate2IsItsModel) {
    folder.file("ct2/config.json", R"({"bos_token":"<s>"})");
    folder.file("ct2/model.bin", "\6\0\0\0\5\0Spec\0\1\0\0\0\1\0\0\0\2\0w\0\1\1\0\0\0\0\4\0\0\0abcd\0\0\0\0"s);
    const auto opened = formats::open(folder.path() / "ct2");
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->format, FormatId::CTranslate2);
    EXPECT_EQ((*opened)->tensors.size(), 1u);
}

TEST_F(FormatsOpen, AFolderOfTensorFlowJsIsItsModel) {
    folder.file("js/model.json", R"({"modelTopology":{},"weightsManifest":[{"paths":["a.bin"],"weights":[)"
                                 R"({"name":"w","shape":[1],"dtype":"float32"}]}]})");
    folder.file("js/a.bin", "1234");
    const auto opened = formats::open(folder.path() / "js");
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->format, FormatId::TfJs);
    ASSERT_EQ((*opened)->tensors.size(), 1u);
    EXPECT_TRUE(TensorReader::open(**opened, (*opened)->tensors[0]));
}

TEST_F(FormatsOpen, WeightsBesideTheirDescriptionAreNamed) {
    folder.file("a.xml", "<?xml version=\"1.0\"?><net name=\"a\">");
    expectRefused(open(std::string(64, '\1'), "a.bin"), ErrorCode::Malformed, "OpenVINO", "a.bin");
    folder.file("b.param", "7767517\n1 1\nInput");
    expectRefused(open(std::string(64, '\1'), "b.bin"), ErrorCode::Malformed, "line 3", "b.bin");
    expectRefused(open("layer {\n  name: \"a\"\n  type: \"Input\"\n}\n", "c.prototxt"), ErrorCode::Unsupported, "Caffe",
                  "c.prototxt");
    expectRefused(open(std::string(64, '\1'), "d.data-00000-of-00001"), ErrorCode::Unknown, "not in a supported format",
                  "d.data-00000-of-00001");
}

TEST_F(FormatsOpen, MissingFileIsNotFound) {
    expectRefused(formats::open(folder.path() / "absent.gguf"), ErrorCode::NotFound, "does not exist", "absent.gguf");
}

TEST_F(FormatsOpen, EmptyFileIsNamedEmpty) { expectRefused(open("", "e.gguf"), ErrorCode::Malformed, "is empty", "e.gguf"); }

TEST_F(FormatsOpen, LfsPointerSaysTheSizeAndTheWayOut) {
    const auto opened =
        open("version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 439512342\n");
    expectRefused(opened, ErrorCode::Unsupported, "439512342 bytes");
    EXPECT_THAT(opened.error().message(), HasSubstr("git lfs pull"));
}

TEST_F(FormatsOpen, JsonWithoutWeightsPointsToItsFolder) {
    expectRefused(open(R"({"model_type":"llama"})"), ErrorCode::Unknown, "open its folder");
}

TEST_F(FormatsOpen, BrokenFileOfAClaimedFormatIsExplainedByItsReader) {
    expectRefused(open("\x01\x02\x03\x00garbage"s, "m.gguf"), ErrorCode::Unknown, "GGUF", "m.gguf");
    const auto opened = open("\xFF\x01"s, "m.safetensors");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message(), HasSubstr("m.safetensors"));
}

struct Recognized {
    std::string content;
    ErrorCode code;
    const char* what;
};

std::string zip(const std::string& member) { return test::makeZip({{.name = member, .content = "content"}}); }
std::string at(std::size_t offset, const std::string& bytes) {
    return std::string(offset, '\x01') + bytes + std::string(8, '\x01');
}

std::string cats(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "\u732B";
    return text;
}

TEST_F(FormatsOpen, OtherFilesAreNamed) {
    using enum ErrorCode;
    const std::vector<Recognized> cases = {
        {"\x89PNG\r\n\x1A\n and pixels", Unknown, "a PNG image"},
        {"\xFF\xD8\xFF\xE0 JFIF", Unknown, "a JPEG image"},
        {"\x7F"
         "ELF and code",
         Unknown, "an ELF executable"},
        {"%PDF-1.7", Unknown, "a PDF document"},
        {"<!DOCTYPE html><html>", Unknown, "a web page"},
        {"7z\xBC\xAF\x27\x1C and more", Unknown, "a 7z archive"},
        {"\x1F\x8B and more", Malformed, "gzip"},
        {"just a few words\nin lines\n", Unknown, "a text file"},
        {"copyright 2026\nby nobody\n(all rights reserved).", Unknown, "a text file"},
        {"(in brackets).", Unknown, "a text file"},
        {"x" + cats(3000), Unknown, "a text file"}, // the head ends inside a character
        {"xx" + cats(3000), Unknown, "a text file"},
        {"\xEF\xBB\xBF{\"cat\": 1}", Unknown, "a JSON file that lists no weights"},
        {at(257, "ustar"), Unknown, "a tar archive"},
        {zip("letter.txt"), Unknown, "a zip archive"},
        {zip("archive/data.pkl"), Malformed, "the tensor list in archive/data.pkl"},
        {zip("letter.txt").substr(0, 40), Malformed, "truncated"},
        {zip("a.npy"), Malformed, "a.npy is not a supported NumPy array"},
        {zip("metadata.json"), Unsupported, "a Keras archive"},
        {"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19."s, Malformed, "truncated or corrupted"},
        {"\x93NUMPY\x01\x00"s, Malformed, "a NumPy array"},
        {"\x89HDF\r\n\x1A\n and data", Malformed, "HDF5"},
        {at(512, "\x89HDF\r\n\x1A\n"), Malformed, "HDF5"},
        {"\xFC\0\0\0TFL3 and tables"s, Malformed, "points outside the file"},
        {"lmgg\x01\x02"s, Malformed, "truncated"},
        {"\x08\x07\x12\x07pytorch\x3A\x05gra"s, Malformed, "corrupted"},
        {"\x0A\x02\x0A\x00\x22\x00"s, Unsupported, "a TensorFlow graph"},
        {"\x0A\x04\x08\x00\x10\x00\x22\x02\x08\x00"s, Malformed, ".pdiparams"},
        {R"({"modelTopology":{},"weightsManifest":[{"paths":["a.bin"],"weights":[]}]})", Malformed, "shard a.bin"},
        {R"([{"weights":[{"name":"w","shape":[2],"dtype":"float32"}],"paths":["a.bin"]}])", Malformed, "shard a.bin"},
        {std::string(100, '\x01') + "\x57\xFB\x80\x8B\x24\x75\x47\xDB", Malformed, "table"},
        {"\x01\x02\x03\x04\x05\x06\x07\x08\x09", Unknown, "not in a supported format"},
    };
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    for (const Recognized& c : cases) expectRefused(formats::open(folder.file("file.data", c.content), strict), c.code, c.what);
}

// Formats that are recognised and not read yet, each by files that its own tools wrote, with what the sentence calls it.
TEST_F(FormatsOpen, FormatsThatAreNotReadYetAreNamed) {
    WB_NEED_SHARED("corpus/face_detector/caffe");
    struct NotRead {
        const char* path;
        const char* what;
    };
    for (const auto& [path, what] :
         {NotRead{"corpus/face_detector/caffe/model/RFB-320/RFB-320.prototxt", "a Caffe network description"},
          NotRead{"corpus/ncnn/candy.bin", "weights of an ncnn network"}}) {
        if (!std::filesystem::exists(test::shared() / path)) continue; // a part of the corpus may be absent
        SCOPED_TRACE(path);
        expectRefused(formats::open(test::shared() / path), ErrorCode::Unsupported, what,
                      std::filesystem::path(path).filename().string());
    }
}

TEST_F(FormatsOpen, ARefusalOverAShardNamesWhatTheUserOpened) {
    WB_NEED_SHARED("fixtures/safetensors/sharded_missing");
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    const auto damaged = test::shared() / "fixtures/safetensors/sharded_missing";
    for (const auto& path : {damaged, damaged / "", damaged / "model.safetensors.index.json"}) {
        const auto opened = formats::open(path, options);
        const std::string name =
            path == damaged / "model.safetensors.index.json" ? "model.safetensors.index.json" : "sharded_missing";
        ASSERT_FALSE(opened);
        EXPECT_THAT(opened.error().message(), testing::AllOf(HasSubstr(name), HasSubstr("model-00002-of-00003.safetensors")));
    }
}

TEST_F(FormatsOpen, EveryCorpusFileIsOpenedOrNamed) {
    WB_NEED_SHARED("corpus");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus")) {
        if (!entry.is_regular_file()) continue;
        const auto opened = formats::open(entry.path());
        const std::string name = io::pathText(entry.path().filename());
        EXPECT_THAT(opened ? name : opened.error().message(), HasSubstr(name));
    }
}

TEST_F(FormatsOpen, CorpusFormatsAreNamed) {
    WB_NEED_SHARED("corpus");
    const auto corpus = [&](const char* name) { return formats::open(test::shared() / "corpus" / name); };
    const auto onnx = corpus("onnx/light/light_resnet50.onnx");
    ASSERT_TRUE(onnx) << onnx.error().message();
    EXPECT_EQ((*onnx)->format, FormatId::Onnx);
    const auto torch = corpus("burn/mnist.pt");
    ASSERT_TRUE(torch) << torch.error().message();
    EXPECT_EQ((*torch)->format, FormatId::PyTorch);
    EXPECT_EQ((*torch)->tensors.size(), 20u);
    expectRefused(corpus("lfs_pointers/pytorch_model.bin"), ErrorCode::Unsupported, "439512342", "pytorch_model.bin");
}

} // namespace
} // namespace wb
