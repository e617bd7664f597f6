// SPDX-License-Identifier: MIT
#include "core/convert/source/folder_text.h"

#include <algorithm>

namespace wb::convert {
namespace {

Result<std::string> readWhole(const io::ByteSource& source, const std::string& name, std::uint64_t maximum) {
    if (source.size() > maximum)
        return fail(ErrorCode::TooLarge, Reason("convert.companion_size"), About{name},
                    WB_TEXT("{} has {} bytes, which exceeds the limit for such files."), name, source.size());
    std::string bytes(source.size(), '\0');
    WB_TRY(source.readAt(0, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

} // namespace

void setText(Model& model, const std::string& name, std::string text, const std::optional<io::Identity>& other) {
    auto file = std::ranges::find(model.files, name, &ModelFile::name);
    if (file == model.files.end()) {
        model.files.emplace_back().name = name;
        file = model.files.end() - 1;
    }
    const auto bytes = std::as_bytes(std::span(text));
    file->bytes = bytes.size();
    if (other) file->identity = *other;
    file->source = std::make_shared<io::MemorySource>(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

const io::ByteSource* changedText(const Model& model, const std::string& name) {
    const auto file = std::ranges::find(model.files, name, &ModelFile::name);
    return file == model.files.end() ? nullptr : dynamic_cast<const io::MemorySource*>(file->source.get());
}

Result<std::optional<std::string>> readText(const Model& model, const std::string& name, std::uint64_t maximum) {
    if (const io::ByteSource* const changed = changedText(model, name)) {
        if (changed->size() == 0) return std::nullopt;
        return readWhole(*changed, name, maximum);
    }
    WB_TRY_ASSIGN(const auto directory, io::BeneathDirectory::open(model.folder));
    const auto source = directory.openFile(name);
    if (!source && source.error().code == ErrorCode::NotFound) return std::nullopt;
    if (!source) return std::unexpected(source.error());
    return readWhole(**source, name, maximum);
}

} // namespace wb::convert
