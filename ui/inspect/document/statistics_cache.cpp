// SPDX-License-Identifier: MIT
#include "ui/inspect/document/statistics_cache.h"

#include "core/formats/json/json.h"
#include "core/stats/stats_json.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>

#include <fmt/format.h>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

// Raised whenever the numbers or their form change: files of another version are never looked at.
constexpr int algorithmVersion = 1;

std::optional<TensorResult> valueResult(const Model& model, const Value& value) {
    const ValueObject* entry = value.object();
    const Value* tensor = entry ? entry->find("tensor") : nullptr;
    const Value* name = entry ? entry->find("name") : nullptr;
    const Value* kept = entry ? entry->find("stats") : nullptr;
    const auto index = tensor ? tensor->unsignedNumber() : std::nullopt;
    if (!index || *index >= model.tensors.size() || !name || !name->string() || !kept) return std::nullopt;
    if (*name->string() != model.tensors[*index].name) return std::nullopt;
    auto stats = stats::readStats(*kept, model.tensors[*index].shape);
    if (!stats) return std::nullopt;
    const Value* device = entry->find("device");
    if (device && device->string()) stats->device = *device->string();
    return TensorResult{static_cast<std::uint32_t>(*index), std::make_shared<const stats::TensorStats>(std::move(*stats))};
}

// A list of entries, read one by one, as the results of a whole model are more than one tree may keep.
std::vector<TensorResult> parse(const Model& model, std::string_view text) {
    json::Scanner scanner(text);
    formats::Limits limits;
    limits.keptJsonMembers = json::keptValues;
    std::vector<TensorResult> results;
    if (scanner.next() != json::Token::BeginArray) return {};
    while (scanner.next() != json::Token::EndArray) {
        json::Notes notes;
        const auto entry = json::readValue(scanner, limits, notes);
        if (!entry) return {};
        if (auto result = valueResult(model, *entry)) results.push_back(std::move(*result));
    }
    return scanner.next() == json::Token::End ? std::move(results) : std::vector<TensorResult>();
}

void writeEntry(JsonWriter& out, const stats::Contents& contents, std::uint32_t index) {
    const TensorInfo& tensor = contents.tensor(index);
    out.newline();
    out.beginObject();
    out.key("tensor");
    out.integer(index);
    out.key("name");
    out.string(tensor.name);
    out.key("device");
    out.string(contents.stats[index]->device);
    out.key("stats");
    stats::writeJson(out, *contents.stats[index], tensor.shape);
    out.endObject();
}

} // namespace

StatisticsCache::StatisticsCache(const QString& cacheFolder, qint64 limitBytes)
    : m_folder(cacheFolder + QStringLiteral("/statistics")), m_limit(limitBytes) {}

QString StatisticsCache::fileFor(const Model& model) const {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(fmt::format("{}\n", algorithmVersion).c_str());
    for (const ModelFile& file : model.files) {
        if (file.source || file.identity == io::Identity()) return {};
        const io::Identity& id = file.identity;
        const std::string line = fmt::format("{}\n{} {} {} {}\n", file.name, id.device, id.inode, id.bytes, id.modifiedNs);
        hash.addData(QByteArray::fromStdString(line));
    }
    return m_folder + QLatin1Char('/') + QString::fromLatin1(hash.result().toHex()) + QStringLiteral(".json");
}

std::vector<TensorResult> StatisticsCache::load(const Model& model) const {
    QFile file(fileFor(model));
    if (file.fileName().isEmpty() || !file.open(QIODevice::ReadOnly) || file.size() > m_limit) return {};
    const QByteArray bytes = file.readAll();
    return parse(model, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

bool StatisticsCache::save(const stats::Contents& contents) const {
    const QString path = fileFor(*contents.model);
    if (path.isEmpty() || !QDir().mkpath(m_folder)) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    JsonWriter out([&file](std::string_view text) { file.write(text.data(), static_cast<qint64>(text.size())); });
    out.beginArray();
    for (std::uint32_t i = 0; i < contents.count(); ++i)
        if (contents.stats[i]) writeEntry(out, contents, i);
    out.newline();
    out.endArray();
    out.finish();
    if (!file.commit()) return false;
    trim();
    return true;
}

void StatisticsCache::trim() const {
    const QFileInfoList newestFirst = QDir(m_folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    qint64 kept = 0;
    for (const QFileInfo& entry : newestFirst) {
        kept += entry.size();
        if (kept > m_limit) QFile::remove(entry.filePath());
    }
}

} // namespace wb::ui::inspect
