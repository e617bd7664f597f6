// SPDX-License-Identifier: MIT
#include "ui/inspect/document/statistics_cache.h"

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

using nlohmann::ordered_json;

std::optional<TensorResult> resultOf(const Model& model, const ordered_json& entry) {
    if (!entry.is_object() || !entry.contains("tensor") || !entry.contains("name") || !entry.contains("stats")) return std::nullopt;
    if (!entry["tensor"].is_number_unsigned()) return std::nullopt;
    const auto index = entry["tensor"].get<std::uint64_t>();
    if (index >= model.tensors.size() || entry["name"] != model.tensors[index].name) return std::nullopt;
    auto stats = stats::fromJson(entry["stats"], model.tensors[index].shape);
    if (!stats) return std::nullopt;
    if (entry.contains("device") && entry["device"].is_string()) stats->device = entry["device"].get<std::string>();
    return TensorResult{static_cast<std::uint32_t>(index), std::make_shared<const stats::TensorStats>(std::move(*stats))};
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
    const ordered_json json = ordered_json::parse(bytes.begin(), bytes.end(), nullptr, false);
    std::vector<TensorResult> results;
    if (!json.is_array()) return results;
    for (const ordered_json& entry : json)
        if (auto result = resultOf(model, entry)) results.push_back(std::move(*result));
    return results;
}

bool StatisticsCache::save(const Contents& contents) const {
    const QString path = fileFor(*contents.model);
    if (path.isEmpty() || !QDir().mkpath(m_folder)) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    const char* separator = "[\n";
    for (std::uint32_t i = 0; i < contents.count(); ++i) {
        if (!contents.stats[i]) continue;
        const TensorInfo& tensor = contents.tensor(i);
        const ordered_json entry = {{"tensor", i},
                                    {"name", tensor.name},
                                    {"device", contents.stats[i]->device},
                                    {"stats", stats::toJson(*contents.stats[i], tensor.shape)}};
        file.write(separator + QByteArray::fromStdString(entry.dump()));
        separator = ",\n";
    }
    file.write(separator[0] == '[' ? "[]\n" : "\n]\n");
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
