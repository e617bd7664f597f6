// SPDX-License-Identifier: MIT
#include "ui/convert/run/unfinished_list.h"

#include "ui/widgets/paths.h"

namespace wb::ui::convert {

UnfinishedList::UnfinishedList(const Services& services)
    : m_services(services), m_listing(services.jobs), m_discarding(services.jobs) {}

void UnfinishedList::refresh() {
    using Runs = std::vector<UnfinishedRun>;
    const auto work = [state = m_services.stateFolder](const Progress&) -> Result<Runs> { return unfinishedRuns(state); };
    const auto done = [this](const Runs& runs) {
        m_runs = runs;
        emit changed();
    };
    m_listing.start<Runs>(tr("Checking for unfinished jobs"), work, done, [](const Error&) {}); // which does not happen
}

void UnfinishedList::discard(const QString& target) {
    const auto work = [target = fsPath(target), state = fsPath(m_services.stateFolder)](const Progress&) -> Result<bool> {
        WB_TRY(run::discard(state, target));
        return true;
    };
    const auto failed = [this](const Error& error) {
        emit discardFailed(error);
        refresh();
    };
    m_discarding.start<bool>(tr("Discarding job"), work, [this](bool) { refresh(); }, failed);
}

} // namespace wb::ui::convert
