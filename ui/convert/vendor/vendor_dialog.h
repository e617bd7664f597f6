// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/vendor/vendor_tools.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services.h"

#include <QDialog>
#include <QTimer>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace wb::ui {
class DangerQuestion;
}

namespace wb::ui::convert {

class CommandRow;
class ProcessLog;

// A conversion by a vendor's tool: whether it is installed, its version and its exact command, which is copied or, on request, run
// with its output shown. Nothing is installed, and nothing runs before the button is pressed.
class VendorDialog : public QDialog {
    Q_OBJECT

public:
    explicit VendorDialog(const Services& services, QWidget* parent);
    ~VendorDialog() override;

    void setSource(const QString& path);
    void setTarget(wb::convert::VendorTarget target);
    void setSearch(wb::convert::VendorSearch search); // where tools are searched instead of PATH
    bool isRunning() const { return m_running.isRunning(); }

    void reject() override; // cancels the tool first

private:
    void askForFile();
    void askForFolder();
    void recognize();
    void refresh();
    void runOrCancel();
    void run();
    void onEnded(int status);
    void endWith(const QString& text);
    void showOutput();
    wb::convert::VendorTarget target() const;
    QString outputPath() const;
    QString toolText() const;

    const Services& m_services;
    DangerQuestion* m_question;
    LatestJob m_recognizing, m_running;
    QLineEdit* m_source;
    QComboBox* m_target;
    QLabel* m_tool;
    QLabel* m_notes;
    CommandRow* m_command;
    QLabel* m_state;
    QPlainTextEdit* m_log;
    QPushButton *m_run, *m_close;
    QTimer m_poll; // of the tool's output
    std::shared_ptr<ProcessLog> m_output;
    wb::convert::VendorSearch m_search;
    std::optional<FormatId> m_format; // of the source; empty: none was recognized
    std::optional<wb::convert::VendorCommand> m_planned;
    QString m_refusal; // why no tool converts the source
};

} // namespace wb::ui::convert
