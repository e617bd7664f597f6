// SPDX-License-Identifier: MIT
#include "ui/shell/services/open_models.h"

#include "core/io/file_roles.h"
#include "core/model/output_check.h"
#include "ui/widgets/paths.h"

#include <utility>

namespace wb::ui {

Result<void> OutputGuard::check(const std::filesystem::path& output) const {
    io::FileRoles roles;
    for (const ModelInUse& open : m_models) {
        roles.reads(fsPath(open.path));
        if (open.model) WB_TRY(checkNoModelFile(*open.model, output));
    }
    roles.writes(output);
    return roles.check();
}

void OpenModels::set(const QString& tab, const QList<ModelInUse>& models) {
    if (std::exchange(m_models[tab], models) != models) emit changed();
}

QStringList OpenModels::paths(const QString& tab) const {
    QStringList paths;
    for (const ModelInUse& open : m_models.value(tab)) paths << open.path;
    return paths;
}

OutputGuard OpenModels::guard() const {
    QList<ModelInUse> all;
    for (const QList<ModelInUse>& models : m_models) all += models;
    return OutputGuard(all);
}

} // namespace wb::ui
