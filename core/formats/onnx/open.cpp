// SPDX-License-Identifier: MIT
#include "core/formats/onnx/block_weights.h"
#include "core/formats/onnx/index.h"
#include "core/formats/onnx/onnx.h"
#include "core/formats/onnx/ort.h"

#include "core/formats/findings/findings.h"
#include "core/worker/model_wire.h"

#include <algorithm>
#include <array>

namespace wb::onnx {
namespace {

constexpr const char* taskName = "onnx.index";

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    worker::WireReader in(input.request);
    formats::OpenOptions options;
    options.strictness = in.flag() ? formats::Strictness::Strict : formats::Strictness::Lenient;
    options.progress = input.progress;
    WB_TRY_ASSIGN(const Index index, readIndex(*input.sources.at(0), options));
    worker::WireWriter out;
    out.u64(index.external.size());
    for (const std::string& name : index.external) out.text(name);
    out.bytes(index.copied);
    WB_TRY(worker::writeModel(out, index.model, blockWeightWire()));
    return out.take();
}

// The reply is data of an untrusted process: counts are checked here, places by TensorReader.
Result<Index> askWorker(const std::shared_ptr<io::FileSource>& source, const formats::OpenOptions& options) {
    worker::WireWriter request;
    request.flag(options.strictness == formats::Strictness::Strict);
    WB_TRY_ASSIGN(const auto reply, worker::run({taskName, source->name(), request.take(), {source}}, options.progress));
    worker::WireReader in(reply);
    Index index;
    index.external.resize(in.count(8));
    if (index.external.size() > options.limits.filesPerModel)
        return fail(ErrorCode::TooLarge, Reason("onnx.file_count"), About{source->name()},
                    WB_TEXT("{} stores its values in {} other files; at most {} are opened."), source->name(),
                    index.external.size(), options.limits.filesPerModel);
    for (std::string& name : index.external) name = in.text();
    const auto copied = in.bytes();
    index.copied.assign(copied.begin(), copied.end());
    auto model = worker::readModel(in, firstExternal + static_cast<std::uint32_t>(index.external.size()), blockWeightWire());
    if (!model || !in.good()) return worker::garbledModel(source->name());
    index.model = std::move(*model);
    return index;
}

// Why the values in another file cannot be read; null where they can.
const char* tensorFault(const TensorInfo& tensor, const ModelFile& file, bool isThere) {
    if (!isThere) return WB_TEXT("the file that contains them cannot be opened");
    return io::Extent::make(file.bytes, tensor.offset().value_or(0), tensor.bytes())
               ? nullptr
               : WB_TEXT("the file that contains them is too short");
}

void openExternal(Index& index, const std::filesystem::path& folder, formats::Findings& findings) {
    const auto beneath = io::BeneathDirectory::open(folder);
    std::vector<bool> isThere(index.model.files.size(), true);
    for (const std::string& name : index.external) {
        const auto opened = beneath ? beneath->openFile(name) : std::unexpected(beneath.error());
        ModelFile file{formats::shown(name), 0, {}, nullptr};
        if (opened) {
            file.bytes = (*opened)->size();
            file.identity = (*opened)->identity();
        } else {
            findings.add(Severity::Error, "onnx.external", opened.error());
            file.source = std::make_shared<io::MemorySource>(file.name, std::vector<std::byte>());
        }
        isThere.push_back(opened.has_value());
        index.model.files.push_back(std::move(file));
    }
    for (TensorInfo& tensor : index.model.tensors) {
        if (!tensor.isReadable() || tensor.file() < firstExternal || tensor.file() == noFile) continue;
        const char* fault = tensorFault(tensor, index.model.files[tensor.file()], isThere[tensor.file()]);
        if (!fault) continue;
        findings.add(Severity::Error, "onnx.external_values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                     formats::shown(tensor.name), fault);
        tensor.source.makeUnavailable(Reason("onnx.external"), fault);
    }
}

// The worker counts the copied values as a file before the external ones; here they come last, and only where there are any.
void moveCopied(Index& index, const std::string& name) {
    std::vector<ModelFile>& files = index.model.files;
    files.erase(files.begin() + copiedFile);
    for (TensorInfo& tensor : index.model.tensors) {
        TensorPlace place = tensor.source.place();
        if (place.file == modelFile || place.file == noFile) continue;
        place.file = place.file == copiedFile ? static_cast<std::uint32_t>(files.size()) : place.file - 1;
        tensor.source.setPlace(place);
    }
    if (index.copied.empty()) return;
    auto copied = std::make_shared<io::MemorySource>(name + "#values", std::move(index.copied));
    ModelFile file{copied->name(), copied->size(), {}, nullptr};
    file.source = std::move(copied);
    files.push_back(std::move(file));
}

} // namespace

std::span<const worker::WorkerTask> tasks() {
    static const std::array all = {worker::WorkerTask{taskName, runTask}, ortTask()};
    return all;
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Index index, askWorker(source, options));
    Model& model = index.model;
    model.path = path;
    model.folder = path.parent_path();
    const std::string name = source->name();
    model.files.push_back(namedFile(path, std::move(source)));
    model.files.emplace_back(); // the place of copiedFile
    formats::Findings findings(name, options.strictness);
    openExternal(index, model.folder, findings);
    moveCopied(index, name);
    std::ranges::move(findings.take(), std::back_inserter(model.problems));
    sortProblems(model.problems);
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::onnx
