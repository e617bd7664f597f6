// SPDX-License-Identifier: MIT
#include "core/library/chosen_folders.h"

#include "core/base/json_writer.h"
#include "core/formats/json/json.h"
#include "core/io/atomic_writer.h"
#include "core/io/small_file.h"

namespace wb::library {
namespace {

using Path = std::filesystem::path;

constexpr const char* fileName = "library.json";

std::optional<Store> readStore(const Value& value) {
    if (!value.object()) return std::nullopt;
    const Value* kind = value.object()->find("kind");
    const Value* path = value.object()->find("path");
    if (!kind || !kind->string() || !path || !path->string()) return std::nullopt;
    const auto known = kindFromName(*kind->string());
    const Path folder(std::u8string(path->string()->begin(), path->string()->end()));
    if (!known || !folder.is_absolute()) return std::nullopt;
    return Store{*known, folder, true};
}

} // namespace

std::vector<Store> readChosenFolders(const Path& stateFolder) {
    const auto text = io::readSmallFile(stateFolder / fileName, 1u << 20);
    std::vector<Problem> problems;
    const auto value = json::parse(text.value_or(""), fileName, {}, problems);
    const Value* list = value && value->object() ? value->object()->find("folders") : nullptr;
    std::vector<Store> stores;
    if (list && list->array())
        for (const Value& item : list->array()->first)
            if (auto store = readStore(item)) stores.push_back(std::move(*store));
    return stores;
}

Result<void> writeChosenFolders(const Path& stateFolder, const std::vector<Store>& folders) {
    std::string text;
    JsonWriter json([&text](std::string_view piece) { text += piece; });
    json.beginObject();
    json.key("folders"), json.beginArray();
    for (const Store& store : folders) {
        const std::string path = io::pathText(store.path);
        if (Path(std::u8string(path.begin(), path.end())) != store.path)
            return fail(ErrorCode::Invalid, Reason("library.folder_name"), About{path},
                        WB_TEXT("The name of {} is not valid text; rename the folder and add it again."), path);
        json.newline();
        json.beginObject();
        json.key("kind"), json.string(kindName(store.kind));
        json.key("path"), json.string(path);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.finish();
    std::error_code ignored;
    std::filesystem::create_directories(stateFolder, ignored);
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(stateFolder / fileName));
    WB_TRY(writer.write(text));
    return writer.commit();
}

} // namespace wb::library
