// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/trust.h"
#include "ui/shell/jobs/latest_job.h"

#include <QString>

#include <functional>

class QWidget;

namespace wb::ui {

// Asks before a model is used for more than looking at, where loading it with the programs that it was made for would run code that
// is dangerous or not known (level C or D of wb scan); this program runs none of it. Texts (the chat template of a GGUF file, the
// configuration of a folder) are judged at once; all else is scanned by a job that the Jobs page shows and that the user may cancel
// there.
class DangerQuestion : public QObject {
    Q_OBJECT

public:
    // The question belongs to the window of `asker`, which owns this. `services` must outlive it.
    DangerQuestion(const Services& services, QWidget* asker);

    // Calls `use` if no question is needed or the user continues: at once where only texts were to be judged and nothing is to be
    // asked, otherwise when the job and the questions are over. Not at all where the job was canceled, the answer was no, or
    // another model was asked about since.
    void ask(const QString& path, std::function<void()> use);

    // Cancels the question; the model is not used.
    void forget();

    bool isScanning() const { return m_scan.isRunning(); }

private:
    using Confirmations = std::vector<wb::convert::Confirmation>; // a question each
    void askAbout(const Confirmations& needed, const std::function<void()>& use);

    QWidget* m_asker;
    LatestJob m_scan;
    quint64 m_number = 0; // of the newest question
};

} // namespace wb::ui
