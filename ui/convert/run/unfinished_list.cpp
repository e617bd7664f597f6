// SPDX-License-Identifier: MIT
#include "ui/convert/run/unfinished_list.h"

namespace wb::ui::convert {

UnfinishedList::UnfinishedList(const Services& services)
    : m_services(services), m_listing(services.jobs), m_discarding(services.jobs) {}

void UnfinishedList::refresh() {
    using Runs = QList<UnfinishedRun>;
    const auto work = [state = m_services.stateFolder](const Progress&) -> Result<Runs> { return UnfinishedRuns(state).all(); };
    const auto done = [this](const Runs& runs) {
        m_runs = runs;
        emit changed();
    };
    m_listing.start<Runs>(tr("Checking for unfinished jobs"), work, done, [](const Error&) {}); // which does not happen
}

void UnfinishedList::discard(const UnfinishedRun& run) {
    const auto work = [run, state = m_services.stateFolder](const Progress&) -> Result<bool> {
        WB_TRY(UnfinishedRuns(state).discard(run));
        return true;
    };
    const auto failed = [this](const Error& error) {
        emit discardFailed(error);
        refresh();
    };
    m_discarding.start<bool>(tr("Discarding job"), work, [this](bool) { refresh(); }, failed);
}

} // namespace wb::ui::convert
