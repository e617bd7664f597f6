// SPDX-License-Identifier: MIT
#include "ui/shell/settings/device_speed_row.h"

#include "ui/widgets/translate.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QPushButton>

namespace wb::ui {
namespace {

QString shownRate(double tokens) { return QLocale().toString(tokens, 'f', tokens < 100 ? 1 : 0); }

} // namespace

DeviceSpeedRow::DeviceSpeedRow(const Devices* devices, JobRunner& jobs, std::function<DeviceRef()> device,
                               std::function<unsigned()> threads, QWidget* parent)
    : QWidget(parent), m_devices(devices), m_jobs(jobs), m_device(std::move(device)), m_threads(std::move(threads)),
      m_label(new QLabel(this)), m_button(new QPushButton(this)), m_lookup(&jobs) {
    m_label->setWordWrap(true);
    m_label->setObjectName(QStringLiteral("deviceSpeed"));
    m_button->setObjectName(QStringLiteral("measureDevice"));
    setFocusProxy(m_button);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_button, 0, Qt::AlignTop);
    connect(m_button, &QPushButton::clicked, this, &DeviceSpeedRow::measure);
    keepTranslated(this, [this] { translate(); });
    lookUp();
}

void DeviceSpeedRow::lookUp() {
    if (!m_devices || m_isMeasuring) return;
    m_lookup.start<DeviceSpeed>(
        tr("Detecting GPUs"),
        [devices = m_devices, device = m_device()](const Progress&) { return devices->measuredSpeed(device); },
        [this](const DeviceSpeed& speed) { show(speed); }, [this](const Error& error) { show(std::unexpected(error)); });
}

// The context is the program: the dialog is modal and may be closed before the job ends.
void DeviceSpeedRow::measure() {
    m_lookup.cancel();
    m_isMeasuring = true;
    translate();
    startJob<DeviceSpeed>(
        m_jobs, [] { return tr("Measuring GPU speed"); }, QCoreApplication::instance(),
        [devices = m_devices, device = m_device(), threads = m_threads()](const Progress& progress) {
            return devices->measureSpeed(device, threads, progress);
        },
        [row = QPointer(this)](const Result<DeviceSpeed>& speed) {
            if (!row) return;
            row->m_isMeasuring = false;
            const bool wasCanceled = !speed && speed.error().code == ErrorCode::Canceled;
            wasCanceled ? row->translate() : row->show(speed);
        });
}

void DeviceSpeedRow::show(const Result<DeviceSpeed>& speed) {
    m_speed = speed;
    translate();
}

void DeviceSpeedRow::translate() {
    const bool isMeasured = m_speed && *m_speed && (*m_speed)->isMeasured();
    m_label->setText(text());
    m_button->setText(isMeasured ? tr("Measure again") : tr("Measure"));
    m_button->setToolTip(tr("Measures how fast the GPU and the CPU read prompts and write responses. Takes up to 20 seconds."));
    m_button->setEnabled(!m_isMeasuring && m_speed && *m_speed);
}

QString DeviceSpeedRow::text() const {
    if (m_isMeasuring) return tr("Measuring…");
    if (!m_devices) return tr("No GPU");
    if (!m_speed) return tr("Detecting GPUs…");
    if (!*m_speed) return m_speed->error().code == ErrorCode::NotFound ? tr("No GPU") : translated(m_speed->error());
    const DeviceSpeed& speed = **m_speed;
    if (!speed.isMeasured()) return tr("%1: not measured").arg(speed.name);
    const QString rates = tr("%1: prompt %2 tokens/s, response %3 tokens/s. CPU: prompt %4 tokens/s, response %5 tokens/s.")
                              .arg(speed.name, shownRate(speed.prompt), shownRate(speed.generate), shownRate(speed.cpuPrompt),
                                   shownRate(speed.cpuGenerate));
    return joined({rates, speed.isFaster ? tr("The GPU is faster.") : tr("The CPU is faster.")});
}

} // namespace wb::ui
