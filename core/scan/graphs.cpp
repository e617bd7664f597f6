// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/formats/caffe/caffe.h"
#include "core/formats/catboost/catboost.h"
#include "core/formats/coreml/coreml.h"
#include "core/formats/ctranslate2/ctranslate2.h"
#include "core/formats/executorch/executorch.h"
#include "core/formats/fasttext/fasttext.h"
#include "core/formats/flax/flax.h"
#include "core/formats/ggml/ggml.h"
#include "core/formats/known_messages.h"
#include "core/formats/lightgbm/lightgbm.h"
#include "core/formats/mnn/mnn.h"
#include "core/formats/ncnn/ncnn.h"
#include "core/formats/onnx/index.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/openvino/openvino.h"
#include "core/formats/paddle/paddle.h"
#include "core/formats/pmml/pmml.h"
#include "core/formats/sentencepiece/sentencepiece.h"
#include "core/formats/tensorflow/tensorflow.h"
#include "core/formats/word2vec/word2vec.h"
#include "core/formats/xgboost/xgboost.h"

#include <algorithm>
#include <array>

// Formats without a sign in their first bytes: graphs in Protocol Buffers, tables, trees of Flax.
namespace wb::scan {

const char* formatName(const std::optional<formats::KnownFile>& known) {
    struct Name {
        std::string_view word; // in the phrase that names the format
        const char* format;
    };
    static constexpr std::array names = {Name{"MNN", "mnn"},           Name{"Core ML", "coreml"}, Name{"Caffe", "caffe"},
                                         Name{"OpenVINO", "openvino"}, Name{"PMML", "pmml"},      Name{"ncnn", "ncnn"}};
    const auto is = [&](const Name& name) {
        return known && std::string_view(known->what).find(name.word) != std::string_view::npos;
    };
    const auto found = std::ranges::find_if(names, is);
    return found == names.end() ? "" : found->format;
}

// The operators of TensorFlow that reach out of a graph: files of the machine, Python functions. SaveV2 and MergeV2Checkpoints
// are in every SavedModel and run only on saving.
void Examiner::tensorflow(const Item& item, const char* format) {
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    ScannedFile file = entry(item, format);
    const auto index = tensorflow::readIndex({item.source}, {}, options);
    if (!index) return malformed(item, index.error());
    for (const Problem& problem : index->model.problems)
        if (problem.code == Reason("tensorflow.operator")) {
            file.level = DangerLevel::C;
            Problem finding = problem;
            finding.file = m_file;
            m_danger.findings.push_back({std::move(finding), item.member});
        }
    (void)add(item, std::move(file));
    secrets(item, index->model.metadata);
}

// Values of a model in other files, whose names must stay in its folder (CVE-2022-25882, CVE-2024-27318, CVE-2024-5187).
void Examiner::onnx(const Item& item) {
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    const auto index = onnx::readIndex(*item.source, options);
    if (!index) return malformed(item, index.error());
    data(item, "onnx");
    secrets(item, index->model.metadata);
    for (const std::string& name : index->external)
        if (!io::isPlainRelativeName(name))
            find(item, Severity::Error, "path.traversal", std::nullopt,
                 WB_TEXT("{}: it loads values from {}, which is outside its folder."), {formats::shown(name)});
}

// Graphs of other runtimes: problems of their readers about code that a model needs, and about files outside of its folder. Values
// in neighbors are not looked for.
void Examiner::indexed(const Item& item, const char* format, formats::ReadIndex read) {
    static constexpr std::array codes = {
        Reason("path.traversal"),      Reason("coreml.custom_layer"), Reason("openvino.custom_operator"),
        Reason("executorch.delegate"), Reason("mnn.external"),        Reason("pmml.extension")};
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    const auto index = read({item.source}, {}, options);
    if (!index) return malformed(item, index.error());
    data(item, format);
    for (const Problem& problem : index->model.problems) {
        if (std::ranges::find(codes, problem.code) == codes.end()) continue;
        Problem finding = problem;
        finding.file = m_file;
        m_danger.findings.push_back({std::move(finding), item.member});
    }
    secrets(item, index->model.metadata);
}

bool Examiner::indexed(const Item& item, std::string_view head) {
    if (openvino::sniff(head)) return indexed(item, "openvino", openvino::readIndex), true;
    if (pmml::sniff(head)) return indexed(item, "pmml", pmml::readIndex), true;
    const auto bytes = std::as_bytes(std::span(head));
    if (executorch::sniff(bytes)) return indexed(item, "executorch", executorch::readIndex), true;
    if (tensorflow::sniffText(head)) return tensorflow(item, "tf-graph"), true;
    if (lightgbm::sniff(head)) return indexed(item, "lightgbm", lightgbm::readIndex), true;
    constexpr std::string_view textSign = "7767517";
    if (head.starts_with(textSign) && ncnn::sniff(bytes)) return indexed(item, "ncnn", ncnn::readIndex), true;
    constexpr std::string_view compiled = "program(";
    if (!head.starts_with(compiled) || item.name(m_file) != "model.mil") return false;
    return indexed(item, "mlmodelc", coreml::readIndex), true;
}

// By signs that may also be the beginning of a pickle, which was looked for before.
bool Examiner::arrays(const Item& item) {
    std::vector<std::byte> head(std::min<std::uint64_t>(item.source->size(), 4096));
    if (!item.source->readAt(0, head)) return false;
    if (catboost::sniff(head)) return indexed(item, "catboost", catboost::readIndex), true;
    if (fasttext::sniff(head)) return indexed(item, "fasttext", fasttext::readIndex), true;
    if (word2vec::sniff(head, item.source->size())) return indexed(item, "word2vec", word2vec::readIndex), true;
    if (ctranslate2::sniff(head)) return indexed(item, "ctranslate2", ctranslate2::readIndex), true;
    if (paddle::sniffValues(head)) return indexed(item, "paddle", paddle::readIndex), true;
    if (xgboost::sniff(head)) return indexed(item, "xgboost", xgboost::readIndex), true; // as a text it is walked as JSON
    return false;
}

bool Examiner::graph(const Item& item) {
    if (arrays(item)) return true;
    std::vector<std::byte> tail(std::min<std::uint64_t>(item.source->size(), 512));
    const auto read = item.source->readAt(item.source->size() - tail.size(), tail);
    if (read && tensorflow::sniffTable(tail)) return data(item, "tf-checkpoint"), true;
    if (flax::sniff(*item.source)) return data(item, "flax"), true;
    if (onnx::sniff(*item.source)) return onnx(item), true;
    if (sentencepiece::sniff(*item.source)) return indexed(item, "sentencepiece", sentencepiece::readIndex), true;
    if (paddle::sniff(*item.source)) return indexed(item, "paddle", paddle::readIndex), true;
    if (tensorflow::sniffSavedModel(*item.source)) return tensorflow(item, "savedmodel"), true;
    if (coreml::sniff(*item.source)) return indexed(item, "coreml", coreml::readIndex), true;
    if (tensorflow::sniffGraph(*item.source)) return tensorflow(item, "tf-graph"), true;
    if (caffe::sniff(*item.source)) return indexed(item, "caffe", caffe::readIndex), true;
    if (mnn::sniff(*item.source)) return indexed(item, "mnn", mnn::readIndex), true;
    if (ggml::sniffLlama2c(*item.source)) return indexed(item, "llama2c", ggml::readLlama2c), true;
    const auto known = formats::recognizeMessage(*item.source);
    if (!known) return false;
    return notRead(item, formatName(known)), true;
}

} // namespace wb::scan
