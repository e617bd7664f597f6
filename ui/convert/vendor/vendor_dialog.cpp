// SPDX-License-Identifier: MIT
#include "ui/convert/vendor/vendor_dialog.h"

#include "core/convert/vendor/child.h"
#include "core/formats/open.h"
#include "ui/convert/commands.h"
#include "ui/convert/vendor/process_log.h"
#include "ui/shell/danger_question.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::convert {

using wb::convert::VendorCommand;
using wb::convert::VendorTarget;
namespace fs = std::filesystem;

namespace {

constexpr int pollMs = 100;
constexpr int maxLines = 5000;

QString targetText(VendorTarget target) {
    switch (target) {
    case VendorTarget::TensorRt: return VendorDialog::tr("TensorRT engine");
    case VendorTarget::OpenVino: return VendorDialog::tr("OpenVINO IR");
    case VendorTarget::CoreMl: return VendorDialog::tr("Core ML package");
    case VendorTarget::TfLite: return VendorDialog::tr("LiteRT (TFLite) model");
    case VendorTarget::OnnxGraph: return VendorDialog::tr("ONNX model");
    }
    return {};
}

// Runs the tool; files that it did not finish are removed.
Result<int> runTool(const VendorCommand& command, const std::shared_ptr<ProcessLog>& log, const std::stop_token& stop) {
    std::vector<fs::path> incomplete;
    std::error_code ignored;
    for (const fs::path& path : command.outputs)
        if (!fs::exists(fs::symlink_status(path, ignored))) incomplete.push_back(path);
    auto status = wb::convert::runChild(command.words, [log](std::string_view text) { log->append(text); }, stop);
    if (!status || *status != 0)
        for (const fs::path& path : incomplete) fs::remove_all(path, ignored);
    return status;
}

} // namespace

VendorDialog::VendorDialog(const Services& services, QWidget* parent)
    : QDialog(parent), m_services(services), m_question(new DangerQuestion(services, this)), m_recognizing(services.jobs),
      m_running(services.jobs), m_source(new QLineEdit(this)), m_target(new QComboBox(this)), m_tool(new QLabel(this)),
      m_notes(makeMutedLabel(this)), m_command(new CommandRow("vendorCommand", tr("Command:"), this)), m_state(new QLabel(this)),
      m_log(new QPlainTextEdit(this)), m_run(new QPushButton(this)), m_close(new QPushButton(tr("Close"), this)),
      m_output(std::make_shared<ProcessLog>()), m_search(wb::convert::VendorSearch::fromEnvironment()) {
    setObjectName(QStringLiteral("vendorDialog"));
    setWindowTitle(tr("Use another tool"));
    resize(720, 480);
    m_source->setObjectName(QStringLiteral("vendorSource"));
    m_source->setReadOnly(true);
    m_source->setPlaceholderText(tr("No model chosen"));
    m_source->setAccessibleName(tr("Model"));
    for (const wb::convert::VendorTargetInfo& info : wb::convert::vendorTargets())
        m_target->addItem(targetText(info.target), static_cast<int>(info.target));
    m_target->setObjectName(QStringLiteral("vendorTarget"));
    nameBox(m_target, tr("Convert to"));
    needFocusForWheel(m_target);
    auto* file = new QPushButton(icon(QStringLiteral("file")), tr("Choose a file…"), this);
    auto* folder = new QPushButton(icon(QStringLiteral("folder")), tr("Choose a folder…"), this);
    connect(file, &QPushButton::clicked, this, &VendorDialog::askForFile);
    connect(folder, &QPushButton::clicked, this, &VendorDialog::askForFolder);
    connect(m_target, &QComboBox::currentIndexChanged, this, &VendorDialog::refresh);
    m_tool->setObjectName(QStringLiteral("vendorTool"));
    m_tool->setTextFormat(Qt::PlainText);
    m_tool->setWordWrap(true);
    m_tool->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_notes->setWordWrap(true);
    m_state->setObjectName(QStringLiteral("vendorState"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_log->setObjectName(QStringLiteral("vendorLog"));
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(maxLines);
    m_log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_log->setAccessibleName(tr("Output of the tool"));
    m_log->setPlaceholderText(tr("The output of the tool is shown here."));
    m_run->setObjectName(QStringLiteral("vendorRun"));
    m_close->setObjectName(QStringLiteral("vendorClose"));
    connect(m_run, &QPushButton::clicked, this, &VendorDialog::runOrCancel);
    connect(m_close, &QPushButton::clicked, this, &VendorDialog::reject);
    connect(&m_poll, &QTimer::timeout, this, &VendorDialog::showOutput);
    auto* source = new QHBoxLayout;
    source->addWidget(m_source, 1);
    source->addWidget(file);
    source->addWidget(folder);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_state, 1);
    buttons->addWidget(m_run);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(source);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_target, m_tool, m_command, m_notes}) layout->addWidget(widget);
    layout->addWidget(m_log, 1);
    layout->addLayout(buttons);
    refresh();
}

VendorDialog::~VendorDialog() = default;

void VendorDialog::askForFile() {
    const QString folder = m_services.folderToOpenFrom();
    const QString path =
        askFrom(this, [&folder](QWidget* window) { return QFileDialog::getOpenFileName(window, tr("Choose a model"), folder); });
    if (!path.isEmpty()) setSource(path);
}

void VendorDialog::askForFolder() {
    const QString folder = m_services.folderToOpenFrom();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Choose a model folder"), folder);
    });
    if (!path.isEmpty()) setSource(path);
}

void VendorDialog::setSource(const QString& path) {
    m_source->setText(path);
    m_format.reset();
    m_state->clear();
    recognize();
    refresh();
}

void VendorDialog::setTarget(VendorTarget target) { m_target->setCurrentIndex(m_target->findData(static_cast<int>(target))); }

void VendorDialog::setSearch(wb::convert::VendorSearch search) {
    m_search = std::move(search);
    refresh();
}

void VendorDialog::recognize() {
    const auto work = [path = fsPath(m_source->text())](const Progress& progress) -> Result<FormatId> {
        formats::OpenOptions options;
        options.progress = progress;
        WB_TRY_ASSIGN(const ModelPtr model, formats::open(path, options));
        return model->format;
    };
    const auto done = [this](const FormatId& format) {
        m_format = format;
        refresh();
    };
    m_recognizing.start<FormatId>(tr("Opening model"), work, done, [this](const Error& error) {
        m_state->setText(Sentence(error).text());
        refresh();
    });
}

VendorTarget VendorDialog::target() const { return static_cast<VendorTarget>(m_target->currentData().toInt()); }

// Next to the source; a folder for tools that write one.
QString VendorDialog::outputPath() const {
    const QFileInfo source(m_source->text());
    const QString stem = source.isDir() ? source.fileName() : source.completeBaseName();
    const bool isFolder = m_format == FormatId::HuggingFace;
    const QString ending = QString::fromLatin1(info(target()).ending);
    return source.absolutePath() + u'/' + (isFolder ? stem + u'-' + ending.mid(1) : stem + ending);
}

QString VendorDialog::toolText() const {
    if (m_source->text().isEmpty()) return tr("Choose the model that the tool converts.");
    if (m_recognizing.isRunning()) return tr("Opening model");
    if (!m_planned) return m_refusal;
    const QString name = QString::fromStdString(m_planned->tool);
    if (!m_planned->found)
        return tr("%1 was not found on this computer. To install it: %2").arg(name, QString::fromStdString(m_planned->install));
    const QString version = QString::fromStdString(m_planned->version);
    return version.isEmpty() ? tr("Found %1: %2").arg(name, shortPath(qtPath(*m_planned->found)))
                             : tr("Found %1 %2: %3").arg(name, version, shortPath(qtPath(*m_planned->found)));
}

void VendorDialog::refresh() {
    m_planned.reset();
    m_refusal.clear();
    if (m_format) {
        auto planned = wb::convert::vendorCommand(target(), *m_format, fsPath(m_source->text()), fsPath(outputPath()), m_search);
        if (planned) m_planned = std::move(*planned);
        else m_refusal = Sentence(planned.error()).text();
    }
    m_tool->setText(toolText());
    m_command->setCommand(m_planned ? QString::fromStdString(commandLine(*m_planned)) : QString());
    QStringList notes;
    if (m_planned)
        for (const std::string& step : m_planned->steps) notes << QCoreApplication::translate("core", step.c_str());
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
    m_run->setText(isRunning() ? tr("Cancel") : tr("Run"));
    m_run->setIcon(icon(isRunning() ? QStringLiteral("cancel") : QStringLiteral("resume")));
    m_run->setEnabled(isRunning() || (m_planned && m_planned->found));
    m_target->setEnabled(!isRunning());
}

void VendorDialog::runOrCancel() {
    if (!isRunning()) return m_question->ask(m_source->text(), [this] { run(); });
    m_running.job()->cancel();
    m_state->setText(tr("Canceling"));
}

void VendorDialog::run() {
    if (!m_planned || !m_planned->found || isRunning()) return;
    for (const fs::path& path : m_planned->outputs)
        if (QFileInfo::exists(qtPath(path)))
            return m_state->setText(tr("%1 already exists; move or rename it.").arg(shortPath(qtPath(path))));
    m_log->clear();
    m_output->take();
    m_state->setText(tr("Running %1").arg(QString::fromStdString(m_planned->tool)));
    const auto work = [command = *m_planned, log = m_output](const Progress& progress) {
        return runTool(command, log, progress.stop);
    };
    const auto failed = [this](const Error& error) { endWith(Sentence(error).text()); };
    m_running.start<int>(
        tr("Running %1").arg(QString::fromStdString(m_planned->tool)), work, [this](const int& status) { onEnded(status); }, failed,
        true, [this] { endWith(tr("Canceled; incomplete output was removed.")); });
    m_poll.start(pollMs);
    refresh();
}

// The output counts only if it opens.
void VendorDialog::onEnded(int status) {
    if (status != 0) return endWith(tr("The tool failed with status %1; its output says why.").arg(status));
    const fs::path made = m_planned ? m_planned->outputs.front() : fs::path();
    const auto work = [made](const Progress&) -> Result<FormatId> {
        WB_TRY_ASSIGN(const ModelPtr model, formats::open(made, {}));
        return model->format;
    };
    const auto done = [this, made](const FormatId& format) {
        endWith(tr("Wrote %1 (%2).").arg(shortPath(qtPath(made)), QString::fromLatin1(formatTitle(format))));
    };
    m_recognizing.start<FormatId>(tr("Opening model"), work, done, [this, made](const Error&) {
        endWith(tr("The tool ended, but %1 cannot be opened.").arg(shortPath(qtPath(made))));
    });
}

void VendorDialog::endWith(const QString& text) {
    m_poll.stop();
    showOutput();
    m_state->setText(text);
    refresh();
}

void VendorDialog::showOutput() {
    const std::string text = m_output->take();
    if (text.empty()) return;
    m_log->moveCursor(QTextCursor::End);
    m_log->insertPlainText(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    m_log->moveCursor(QTextCursor::End);
}

void VendorDialog::reject() {
    if (isRunning()) return runOrCancel();
    QDialog::reject();
}

} // namespace wb::ui::convert
