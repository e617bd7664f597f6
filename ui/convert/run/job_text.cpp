// SPDX-License-Identifier: MIT
#include "ui/convert/run/job_text.h"

#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace wb::ui::convert {
namespace {

struct JobText {
    Q_DECLARE_TR_FUNCTIONS(JobText)
};

bool merges(const wb::convert::Job& job) { return job.kind() == wb::convert::JobKind::Merge; }

} // namespace

QString heading(const wb::convert::Job& job) {
    return job.quantizes() ? JobText::tr("Quantizing") : merges(job) ? JobText::tr("Merging") : JobText::tr("Converting");
}

Sentence jobTitle(const wb::convert::Job& job) {
    const QString name = QFileInfo(qtPath(job.source())).fileName(), type = QString::fromStdString(job.type());
    if (job.quantizes()) return [name, type] { return JobText::tr("Quantizing %1 to %2").arg(name, type); };
    if (merges(job)) return [name] { return JobText::tr("Merging into %1").arg(name); };
    return [name] { return JobText::tr("Converting %1").arg(name); };
}

} // namespace wb::ui::convert
