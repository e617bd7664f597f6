// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/formats/flax/flax.h"
#include "core/formats/known_messages.h"
#include "core/formats/onnx/index.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/tensorflow/tensorflow.h"

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

bool Examiner::graph(const Item& item) {
    std::vector<std::byte> tail(std::min<std::uint64_t>(item.source->size(), 512));
    const auto read = item.source->readAt(item.source->size() - tail.size(), tail);
    if (read && tensorflow::sniffTable(tail)) return data(item, "tf-checkpoint"), true;
    if (flax::sniff(*item.source)) return data(item, "flax"), true;
    if (onnx::sniff(*item.source)) return onnx(item), true;
    if (tensorflow::sniffSavedModel(*item.source)) return tensorflow(item, "savedmodel"), true;
    if (tensorflow::sniffGraph(*item.source)) return tensorflow(item, "tf-graph"), true;
    const auto known = formats::recognizeMessage(*item.source);
    if (!known) return false;
    return notRead(item, formatName(known)), true;
}

} // namespace wb::scan
