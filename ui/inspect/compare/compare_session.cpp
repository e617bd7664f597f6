// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/compare_session.h"

#include "core/formats/open.h"
#include "ui/widgets/paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr qint64 maxMapBytes = 64 << 20;

Result<ModelPtr> openSide(const ComparedSide& side, unsigned threads, const Progress& progress) {
    if (side.model) return side.model;
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Lenient; // as `wb diff`
    options.threads = threads;
    options.progress = {progress.stop, {}};
    return formats::open(fsPath(side.path), options);
}

} // namespace

struct CompareSession::Compared {
    ModelPtr a, b;
    std::shared_ptr<const diff::Comparison> comparison;
};

// A folder has the name of the model often one level higher: "llama/hf".
QString ComparedSide::title() const {
    const QFileInfo file(path);
    const QString name = file.fileName(), folder = file.dir().dirName();
    return name.contains(u'.') || folder.isEmpty() || name.isEmpty() ? name : folder + u'/' + name;
}

CompareSession::CompareSession(const Services& services, ComparedSide a, ComparedSide b, QObject* parent)
    : QObject(parent), m_services(services), m_a(std::move(a)), m_b(std::move(b)), m_job(services.jobs) {
    loadMapping();
}

void CompareSession::drop() {
    m_job.cancel();
    m_comparison.reset();
    m_failure.reset();
    m_isStale = false;
    loadMapping();
    emit changed();
}

void CompareSession::setB(const ComparedSide& side) {
    m_b = side;
    drop();
}

void CompareSession::swap() {
    std::swap(m_a, m_b);
    drop();
}

void CompareSession::start() {
    if (m_a.path.isEmpty() || m_b.path.isEmpty()) return;
    const auto work = [a = m_a, b = m_b, map = m_map,
                       threads = m_services.settings->threads()](const Progress& progress) -> Result<Compared> {
        Compared compared;
        WB_TRY_ASSIGN(compared.a, openSide(a, threads, progress));
        WB_TRY_ASSIGN(compared.b, openSide(b, threads, progress));
        diff::Options options;
        options.map = map;
        options.mapName = CompareSession::tr("The mapping").toStdString();
        options.threads = threads;
        options.progress = progress;
        WB_TRY_ASSIGN(diff::Comparison comparison, diff::compare(compared.a, compared.b, options));
        compared.comparison = std::make_shared<const diff::Comparison>(std::move(comparison));
        return compared;
    };
    m_failure.reset();
    m_job.start<Compared>([a = m_a.title(), b = m_b.title()] { return tr("Comparing %1 with %2").arg(a, b); }, work,
                          [this](const Compared& compared) {
                              m_a.model = compared.a;
                              m_b.model = compared.b;
                              m_comparison = compared.comparison;
                              m_isStale = false;
                              emit changed();
                          },
                          [this](const Error& error) {
                              m_failure = std::make_shared<const Error>(error);
                              emit changed();
                          },
                          true, [this] { emit changed(); });
    if (m_job.job()) connect(m_job.job(), &JobHandle::progressed, this, &CompareSession::progressed);
    emit changed();
}

void CompareSession::cancel() {
    m_job.cancel();
    emit changed();
}

void CompareSession::setMapping(diff::MapFile map) {
    m_map = std::move(map);
    m_isStale = m_comparison != nullptr;
    keepMapping();
    emit changed();
}

Result<void> CompareSession::pairUp(const std::string& a, const std::string& b) {
    if (!m_a.model || !m_b.model) return {};
    WB_TRY_ASSIGN(diff::WantedPair pair, diff::proposePair(*m_a.model, a, *m_b.model, b));
    diff::MapFile map = m_map;
    map.set(std::move(pair));
    setMapping(std::move(map));
    return {};
}

void CompareSession::ignore(const std::vector<std::string>& names) {
    diff::MapFile map = m_map;
    for (const std::string& name : names)
        if (!name.empty() && std::ranges::find(map.ignored, name) == map.ignored.end()) map.ignored.push_back(name);
    setMapping(std::move(map));
}

QString CompareSession::mapPath() const {
    if (m_services.stateFolder.isEmpty() || m_a.path.isEmpty() || m_b.path.isEmpty()) return {};
    const QByteArray key =
        QCryptographicHash::hash((m_a.path + u'\n' + m_b.path).toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return m_services.stateFolder + QStringLiteral("/comparisons/%1.json").arg(QString::fromLatin1(key));
}

// Small files that only the window writes.
void CompareSession::loadMapping() {
    m_map = {};
    QFile file(mapPath());
    if (file.fileName().isEmpty() || file.size() > maxMapBytes || !file.open(QIODevice::ReadOnly)) return;
    auto map = diff::parseMapFile(file.readAll().toStdString(), QFileInfo(file).fileName().toStdString());
    if (map) m_map = *std::move(map);
}

void CompareSession::keepMapping() {
    const QString path = mapPath();
    if (path.isEmpty()) return;
    if (m_map.isEmpty()) {
        QFile::remove(path);
        return;
    }
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(diff::mapFileText(m_map))) >= 0) file.commit();
}

} // namespace wb::ui::inspect
