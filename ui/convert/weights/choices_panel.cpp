// SPDX-License-Identifier: MIT
#include "ui/convert/weights/choices_panel.h"

#include "core/io/disk_space.h"
#include "ui/convert/weights/named_button.h"
#include "ui/convert/adapter_list.h"
#include "ui/convert/weights/merge_panel.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::convert {
namespace {

constexpr int panelWidth = 320;

} // namespace

ChoicesPanel::ChoicesPanel(WeightsSession& session, Wizard& wizard, QWidget* parent)
    : QWidget(parent), m_session(session), m_wizard(wizard), m_type(new QComboBox(this)), m_shards(new QComboBox(this)),
      m_target(new QLineEdit(this)), m_figures(new QLabel(this)), m_run(new QPushButton(this)), m_adapters(new AdapterList(this)),
      m_merge(new MergePanel(this)) {
    setFixedWidth(panelWidth);
    connect(m_adapters, &AdapterList::entriesWanted, this,
            [this](const AdapterList::Entries& adapters) { change([&adapters](auto& file) { file.adapters = adapters; }); });
    connect(m_merge, &MergePanel::choicesWanted, this, [this](const wb::convert::MergeChoices& merge) {
        change([&merge](auto& file) { file.merge = merge; });
        refresh(); // also if only a text became invalid
    });
    connect(m_merge, &MergePanel::openWanted, this, [this] {
        const QString folder = QFileInfo(m_session.choices().source).absolutePath();
        const QString path = askFrom(this, [&folder](QWidget* window) {
            return QFileDialog::getOpenFileName(window, tr("Open recipe"), folder, tr("mergekit recipes (*.yml *.yaml)"));
        });
        if (!path.isEmpty()) m_session.loadRecipe(path);
    });
    connect(m_merge, &MergePanel::saveWanted, this, [this] {
        const QString path = askFrom(this, [this](QWidget* window) {
            return QFileDialog::getSaveFileName(window, tr("Save recipe"), m_session.target() + QStringLiteral(".yml"),
                                                tr("mergekit recipes (*.yml *.yaml)"));
        });
        if (!path.isEmpty()) m_session.saveRecipe(path);
    });
    makeChoices();
    makeTarget();
    auto* browse = makeNamedButton(this, "chooseTarget", "folder", tr("Choose…"));
    browse->setAccessibleName(tr("Choose the output location"));
    connect(browse, &QPushButton::clicked, this, &ChoicesPanel::chooseTarget);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->addRow(tr("Weight type"), m_type);
    form->addRow(tr("Shards"), m_shards);
    form->addRow(tr("Output"), m_target);
    auto* choices = new QWidget(this); // those of a merge are taller than a small window
    auto* column = new QVBoxLayout(choices);
    column->setContentsMargins(0, 0, 8, 0);
    column->addWidget(m_adapters);
    column->addWidget(m_merge);
    column->addLayout(form);
    column->addWidget(browse, 0, Qt::AlignRight);
    column->addWidget(m_figures);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(choices);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_run);
    nameBox(m_type, tr("Weight type"));
    nameBox(m_shards, tr("Shards"));
}

void ChoicesPanel::makeChoices() {
    m_type->setObjectName(QStringLiteral("weightsType"));
    m_type->addItem(tr("Same as source"), -1);
    for (const Dtype type : wb::convert::weightTypes())
        m_type->addItem(QString::fromLatin1(wb::name(type)), static_cast<int>(type));
    connect(m_type, &QComboBox::activated, this, [this] {
        const int type = m_type->currentData().toInt();
        change([type](auto& file) { file.type = type < 0 ? std::nullopt : std::optional(static_cast<Dtype>(type)); });
    });
    m_shards->setObjectName(QStringLiteral("shardSize"));
    m_shards->addItem(tr("Single file"), 0ull);
    for (const quint64 gigabytes : {1ull, 2ull, 5ull, 10ull})
        m_shards->addItem(tr("%1 GB shards").arg(gigabytes), gigabytes * 1'000'000'000);
    connect(m_shards, &QComboBox::activated, this, [this] {
        const quint64 bytes = m_shards->currentData().toULongLong();
        change([bytes](auto& file) { file.shardBytes = bytes; });
    });
    for (QComboBox* box : {m_type, m_shards}) needFocusForWheel(box);
}

void ChoicesPanel::makeTarget() {
    m_target->setObjectName(QStringLiteral("weightsTarget"));
    m_target->setAccessibleName(tr("Output"));
    connect(m_target, &QLineEdit::editingFinished, this, [this] { m_session.setTarget(m_target->text().trimmed()); });
    m_figures->setObjectName(QStringLiteral("weightsFigures"));
    m_figures->setWordWrap(true);
    m_run->setObjectName(QStringLiteral("writeWeights"));
    m_run->setDefault(true);
    connect(m_run, &QPushButton::clicked, this, [this] { m_session.checkRun(); });
}

void ChoicesPanel::change(const std::function<void(wb::convert::WeightsPlanFile&)>& apply) {
    WeightsChoices choices = m_session.choices();
    apply(choices.file);
    m_session.choose(choices);
}

void ChoicesPanel::chooseTarget() {
    const bool isFile = m_session.choices().goal == WeightsGoal::Safetensors;
    const QString path = askFrom(this, [this, isFile](QWidget* window) {
        return isFile ? QFileDialog::getSaveFileName(window, tr("Output"), m_session.target(), tr("Safetensors (*.safetensors)"),
                                                     nullptr, QFileDialog::DontConfirmOverwrite)
                      : QFileDialog::getSaveFileName(window, tr("New folder name"), m_session.target(), QString(), nullptr,
                                                     QFileDialog::DontConfirmOverwrite);
    });
    if (!path.isEmpty()) m_session.setTarget(path);
}

QStringList ChoicesPanel::figures() const {
    QStringList lines;
    if (m_session.isPlanning()) lines << tr("Planning…");
    const auto plan = m_session.plan();
    if (!plan) return lines;
    lines << tr("%n file(s), %1", nullptr, static_cast<int>(plan->weights.size() + plan->texts.size()))
                 .arg(fileSizeText(plan->fileBytes()));
    lines << tr("Up to %1 of RAM").arg(bytesText(m_session.peakMemory()));
    if (const auto space = io::freeSpace(fsPath(m_session.target())))
        lines << (*space < plan->fileBytes() ? tr("Only %1 free on disk (not enough)") : tr("%1 free on disk"))
                     .arg(fileSizeText(*space));
    lines << (m_session.seconds() < 0 ? tr("Estimating time…")
                                      : tr("About %1, excluding disk writes").arg(durationText(m_session.seconds())));
    if (m_session.isKept())
        lines << tr("The job was canceled. Its progress is saved; start it again with the same plan to resume.");
    return lines;
}

void ChoicesPanel::refresh() {
    const WeightsChoices& choices = m_session.choices();
    const bool merges = choices.goal == WeightsGoal::Merge, lacksAdapter = merges && choices.file.adapters.empty();
    const bool mergesModels = choices.goal == WeightsGoal::MergeModels;
    m_merge->setVisible(mergesModels);
    m_merge->setChoices(choices.file.merge, choices.source);
    const QString missing = mergesModels ? m_merge->missing() : QString();
    m_adapters->setVisible(merges);
    m_adapters->setModel(choices.source);
    m_adapters->setEntries(choices.file.adapters);
    m_type->setCurrentIndex(std::max(0, m_type->findData(choices.file.type ? static_cast<int>(*choices.file.type) : -1)));
    m_shards->setCurrentIndex(std::max(0, m_shards->findData(QVariant::fromValue<quint64>(choices.file.shardBytes))));
    if (!m_target->hasFocus()) m_target->setText(QDir::toNativeSeparators(m_session.target()));
    m_run->setText(m_wizard.queue().isBusy() ? tr("Add to queue") : merges || mergesModels ? tr("Merge") : tr("Export"));
    m_run->setEnabled(m_session.plan() && !lacksAdapter && missing.isEmpty() && !m_session.isPlanning());
    QStringList lines = figures();
    if (!missing.isEmpty()) lines.prepend(missing);
    if (lacksAdapter) lines.prepend(tr("Add the folder or file of an adapter trained for this model."));
    m_figures->setText(lines.join(QLatin1Char('\n')));
}

} // namespace wb::ui::convert
