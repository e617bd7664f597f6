// SPDX-License-Identifier: MIT
#include "core/formats/npy/array.h"
#include "core/formats/npy/npy.h"

#include <algorithm>

namespace wb::npy {
namespace {

Result<Model> load(const io::ByteSource& source, const formats::OpenOptions& options) {
    formats::Findings findings(source.name(), options.strictness);
    std::vector<std::byte> head(std::min(source.size(), maxHeaderBytes));
    WB_TRY(source.readAt(0, head));
    WB_TRY_ASSIGN(Header header, parseHeader(head, source.name()));
    const std::string name(source.name().substr(0, source.name().ends_with(".npy") ? source.name().size() - 4 : std::string::npos));
    Model model;
    model.format = FormatId::Npy;
    model.version = header.version;
    model.bigEndian = header.isBigEndian;
    WB_TRY_ASSIGN(auto tensor, makeTensor(header, name, {0, 0, source.size()}, findings));
    if (tensor) model.tensors.push_back(std::move(*tensor));
    model.metadata = std::move(header.description);
    model.problems = findings.take();
    return model;
}

} // namespace

bool sniff(std::span<const std::byte> head) {
    constexpr std::string_view magic = "\x93NUMPY";
    return std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).starts_with(magic);
}

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Model model, load(*source, options));
    model.path = path;
    model.folder = path.parent_path();
    model.files.push_back(namedFile(path, std::move(source)));
    return std::make_shared<const Model>(std::move(model));
}

Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, load(*source, options));
    model.files.push_back({source->name(), source->size(), {}, std::move(source)});
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::npy
