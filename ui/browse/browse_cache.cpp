// SPDX-License-Identifier: MIT
#include "ui/browse/browse_cache.h"

#include "core/hub/capability.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

constexpr int version = 1; // of the files; others are ignored
constexpr qint64 maxBytes = 16 << 20;

QString key(const char* name) { return QLatin1String(name); }

// JSON has doubles only; counts and sizes are kept as text.
QJsonValue number(std::uint64_t value) { return QString::number(value); }
std::uint64_t number(const QJsonObject& json, const char* name) { return json.value(key(name)).toString().toULongLong(); }

QJsonValue optional(const std::optional<std::uint64_t>& value) { return value ? number(*value) : QJsonValue(); }
std::optional<std::uint64_t> optional(const QJsonObject& json, const char* name) {
    return json.value(key(name)).isString() ? std::optional(number(json, name)) : std::nullopt;
}

std::string string(const QJsonObject& json, const char* name) { return json.value(key(name)).toString().toStdString(); }

QJsonArray list(const std::vector<std::string>& texts) {
    QJsonArray array;
    for (const std::string& item : texts) array.append(text(item));
    return array;
}
std::vector<std::string> list(const QJsonObject& json, const char* name) {
    std::vector<std::string> texts;
    for (const QJsonValue& item : json.value(key(name)).toArray()) texts.push_back(item.toString().toStdString());
    return texts;
}

Gate gate(const QJsonObject& json) {
    const int value = json.value(key("gate")).toInt();
    return value == 1 ? Gate::Automatic : value == 2 ? Gate::Manual : Gate::Open;
}

QJsonObject toJson(const ModelRow& row) {
    return {{key("id"), text(row.id)},
            {key("name"), text(row.name)},
            {key("downloads"), number(row.downloads)},
            {key("likes"), number(row.likes)},
            {key("gate"), static_cast<int>(row.gate)},
            {key("licence"), text(row.licence)},
            {key("parameters"), optional(row.parameters)},
            {key("bytes"), optional(row.bytes)},
            {key("updated"), text(row.updated)},
            {key("task"), text(row.task)},
            {key("library"), text(row.library)},
            {key("tags"), list(row.tags)}};
}

ModelRow toRow(const QJsonObject& json, Hub hub) {
    ModelRow row;
    row.hub = hub;
    row.id = string(json, "id");
    row.name = string(json, "name");
    row.downloads = number(json, "downloads");
    row.likes = number(json, "likes");
    row.gate = gate(json);
    row.licence = string(json, "licence");
    row.parameters = optional(json, "parameters");
    row.bytes = optional(json, "bytes");
    row.updated = string(json, "updated");
    row.task = string(json, "task");
    row.library = string(json, "library");
    row.tags = list(json, "tags");
    return row;
}

QJsonObject toJson(const ModelInfo& info) {
    return {{key("commit"), text(info.commit)},       {key("gate"), static_cast<int>(info.gate)},
            {key("licence"), text(info.licence)},     {key("base_models"), list(info.baseModels)},
            {key("languages"), list(info.languages)}, {key("tags"), list(info.tags)},
            {key("task"), text(info.task)},           {key("library"), text(info.library)},
            {key("updated"), text(info.updated)},     {key("downloads"), number(info.downloads)},
            {key("likes"), number(info.likes)},       {key("parameters"), optional(info.parameters)},
            {key("bytes"), optional(info.bytes)},     {key("page"), text(info.pageUrl)}};
}

ModelInfo toInfo(const QJsonObject& json, const Repository& repository) {
    ModelInfo info;
    info.repository = repository;
    info.commit = string(json, "commit");
    info.gate = gate(json);
    info.licence = string(json, "licence");
    info.baseModels = list(json, "base_models");
    info.languages = list(json, "languages");
    info.tags = list(json, "tags");
    info.task = string(json, "task");
    info.library = string(json, "library");
    info.updated = string(json, "updated");
    info.downloads = number(json, "downloads");
    info.likes = number(json, "likes");
    info.parameters = optional(json, "parameters");
    info.bytes = optional(json, "bytes");
    info.pageUrl = string(json, "page");
    return info;
}

QJsonObject toJson(const RemoteFile& file) {
    return {{key("path"), text(file.path)},
            {key("bytes"), number(file.bytes)},
            {key("sha256"), text(file.sha256)},
            {key("git"), text(file.gitSha1)}};
}

RemoteFile toFile(const QJsonObject& json) {
    RemoteFile file;
    file.path = string(json, "path");
    file.bytes = number(json, "bytes");
    file.sha256 = string(json, "sha256");
    file.gitSha1 = string(json, "git");
    return file;
}

QString fileName(const QString& what) {
    return QString::fromLatin1(QCryptographicHash::hash(what.toUtf8(), QCryptographicHash::Sha256).toHex()) +
           QStringLiteral(".json");
}

QString cacheFileName(Hub hub, const SearchRequest& request) {
    QStringList parts = {QStringLiteral("list"),
                         QLatin1String(shortName(hub)),
                         text(request.text),
                         text(request.author),
                         text(request.task),
                         text(request.licence),
                         QString::number(request.isGated ? (*request.isGated ? 1 : 0) : 2),
                         QString::number(request.minParameters),
                         QString::number(request.maxParameters),
                         QString::number(static_cast<int>(request.sort)),
                         text(request.language),
                         QString::number(request.minBytes),
                         QString::number(request.maxBytes),
                         text(request.updatedSince),
                         text(request.quant),
                         QLatin1String(capabilityName(request.capability))};
    for (const std::string& filter : request.filters) parts << text(filter);
    return fileName(parts.join(u'\n'));
}

QString cacheFileName(const Repository& repository) { return fileName(QStringLiteral("page\n") + text(repository.text())); }

void write(const std::filesystem::path& folder, const QString& name, QJsonObject json) {
    json.insert(key("version"), version);
    QDir().mkpath(qtPath(folder));
    QSaveFile file(QDir(qtPath(folder)).filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return;
    file.write(QJsonDocument(json).toJson(QJsonDocument::Compact));
    file.commit();
}

std::optional<QJsonObject> read(const std::filesystem::path& folder, const QString& name) {
    QFile file(QDir(qtPath(folder)).filePath(name));
    if (!file.open(QIODevice::ReadOnly) || file.size() > maxBytes) return std::nullopt;
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    if (json.value(key("version")).toInt() != version) return std::nullopt;
    return json;
}

} // namespace

Repository ModelPage::pinned() const {
    Repository repository = info.repository;
    if (!files.commit.empty()) repository.revision = files.commit;
    return repository;
}

void BrowseCache::keep(Hub hub, const SearchRequest& request, const SearchPage& firstPage) const {
    QJsonArray rows;
    for (const ModelRow& row : firstPage.rows) rows.append(toJson(row));
    write(m_folder, cacheFileName(hub, request), {{key("rows"), rows}});
}

std::optional<SearchPage> BrowseCache::find(Hub hub, const SearchRequest& request) const {
    const auto json = read(m_folder, cacheFileName(hub, request));
    if (!json) return std::nullopt;
    SearchPage page;
    for (const QJsonValue& row : json->value(key("rows")).toArray()) page.rows.push_back(toRow(row.toObject(), hub));
    return page;
}

void BrowseCache::keep(const Repository& repository, const ModelPage& page) const {
    QJsonArray files;
    for (const RemoteFile& file : page.files.files)
        if (!file.refusal) files.append(toJson(file));
    write(m_folder, cacheFileName(repository),
          {{key("info"), toJson(page.info)},
           {key("commit"), text(page.files.commit)},
           {key("files"), files},
           {key("card"), text(page.card)}});
}

std::optional<ModelPage> BrowseCache::find(const Repository& repository) const {
    const auto json = read(m_folder, cacheFileName(repository));
    if (!json) return std::nullopt;
    ModelPage page;
    page.info = toInfo(json->value(key("info")).toObject(), repository);
    page.files.commit = string(*json, "commit");
    for (const QJsonValue& file : json->value(key("files")).toArray()) page.files.files.push_back(toFile(file.toObject()));
    page.card = string(*json, "card");
    return page;
}

} // namespace wb::ui::browse
