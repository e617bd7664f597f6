// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_page.h"

#include "core/io/disk_space.h"
#include "ui/convert/confirm.h"
#include "ui/convert/run_page.h"
#include "ui/convert/table_parts.h"
#include "ui/convert/weights/weights_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/wheel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui::convert {
namespace {

constexpr int choicesWidth = 320;
constexpr quint64 memoryBound = 512ull << 20; // run::execute keeps below it for any model

QPushButton* makeButton(QWidget* parent, const char* name, const char* iconName, const QString& text) {
    auto* button = new QPushButton(icon(QLatin1String(iconName)), text, parent);
    button->setObjectName(QLatin1String(name));
    return button;
}

} // namespace

WeightsPage::WeightsPage(WeightsSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new WeightsModel(this)), m_stack(new QStackedWidget(this)),
      m_runPage(new RunPage(session.runs(), this)) {
    // The tab has another such page, whose parts are found by their own names.
    for (QWidget* part : m_runPage->findChildren<QWidget*>())
        if (!part->objectName().isEmpty()) part->setObjectName(QStringLiteral("weights-") + part->objectName());
    m_stack->addWidget(makePlan());
    m_stack->addWidget(m_runPage);
    m_stack->addWidget(makeResult());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(&m_session, &WeightsSession::changed, this, &WeightsPage::refresh);
    connect(&m_session.runs(), &RunSession::checked, this, &WeightsPage::onChecked);
    refresh();
}

QWidget* WeightsPage::makePlan() {
    auto* page = new QWidget(this);
    m_title = makeElidedHeading(page);
    m_failure = new QLabel(page);
    m_failure->setObjectName(QStringLiteral("weightsFailure"));
    m_failure->setTextFormat(Qt::PlainText);
    m_failure->setWordWrap(true);
    setTone(m_failure, Tone::Error);
    m_trust = new QCheckBox(tr("Read its tensors all the same"), page);
    m_trust->setObjectName(QStringLiteral("trustSource"));
    connect(m_trust, &QCheckBox::toggled, this, [this](bool on) { change([on](WeightsChoices& c) { c.trustsSource = on; }); });
    auto* other = new QPushButton(tr("Another model…"), page);
    other->setObjectName(QStringLiteral("closeWeights"));
    connect(other, &QPushButton::clicked, this, &WeightsPage::closeWanted);
    m_table = makeTable(m_model, tr("Tensors of the plan"), page);
    m_table->setObjectName(QStringLiteral("weightsTable"));
    m_table->setColumnWidth(WeightsModel::Name, 260);
    m_table->setColumnWidth(WeightsModel::SourceColumn, 180);
    for (const int column : {WeightsModel::From, WeightsModel::To}) m_table->setColumnWidth(column, 60);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_notes = makeMutedLabel(page);
    m_notes->setObjectName(QStringLiteral("weightsNotes"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(other);
    auto* right = new QVBoxLayout;
    right->addWidget(m_table, 1);
    right->addWidget(m_notes);
    auto* body = new QHBoxLayout;
    body->addWidget(makeChoices(page));
    body->addLayout(right, 1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(head);
    layout->addWidget(m_failure);
    layout->addWidget(m_trust);
    layout->addLayout(body, 1);
    return page;
}

QWidget* WeightsPage::makeChoices(QWidget* parent) {
    auto* panel = new QWidget(parent);
    panel->setFixedWidth(choicesWidth);
    m_adapters = new QWidget(panel);
    m_adapterRows = new QVBoxLayout(m_adapters);
    m_adapterRows->setContentsMargins(0, 0, 0, 0);
    m_addAdapter = makeButton(panel, "addAdapter", "folder", tr("Add an adapter…"));
    connect(m_addAdapter, &QPushButton::clicked, this, &WeightsPage::addAdapter);
    m_type = new QComboBox(panel);
    m_type->setObjectName(QStringLiteral("weightsType"));
    m_type->addItem(tr("As stored"), -1);
    for (const Dtype type : conversion::weightTypes()) m_type->addItem(QString::fromLatin1(wb::name(type)), static_cast<int>(type));
    connect(m_type, &QComboBox::activated, this, [this] {
        const int type = m_type->currentData().toInt();
        change([type](WeightsChoices& c) { c.type = type < 0 ? std::nullopt : std::optional(static_cast<Dtype>(type)); });
    });
    m_shards = new QComboBox(panel);
    m_shards->setObjectName(QStringLiteral("shardSize"));
    m_shards->addItem(tr("One file"), 0ull);
    for (const quint64 gigabytes : {1ull, 2ull, 5ull, 10ull})
        m_shards->addItem(tr("Files of %1 GB").arg(gigabytes), gigabytes * 1'000'000'000);
    connect(m_shards, &QComboBox::activated, this, [this] {
        const quint64 bytes = m_shards->currentData().toULongLong();
        change([bytes](WeightsChoices& c) { c.shardBytes = bytes; });
    });
    for (QComboBox* box : {m_type, m_shards}) needFocusForWheel(box);
    m_target = new QLineEdit(panel);
    m_target->setObjectName(QStringLiteral("weightsTarget"));
    m_target->setAccessibleName(tr("Where to write"));
    connect(m_target, &QLineEdit::editingFinished, this, [this] { m_session.setTarget(m_target->text().trimmed()); });
    auto* browse = makeButton(panel, "chooseTarget", "folder", tr("Choose…"));
    connect(browse, &QPushButton::clicked, this, &WeightsPage::chooseTarget);
    m_figures = new QLabel(panel);
    m_figures->setObjectName(QStringLiteral("weightsFigures"));
    m_figures->setWordWrap(true);
    m_run = new QPushButton(tr("Write"), panel);
    m_run->setObjectName(QStringLiteral("writeWeights"));
    m_run->setDefault(true);
    m_run->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    connect(m_run, &QPushButton::clicked, this, [this] { m_session.checkRun(); });
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->addRow(tr("Type of the weights"), m_type);
    form->addRow(tr("Divided into"), m_shards);
    form->addRow(tr("Where to write"), m_target);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addWidget(m_addAdapter);
    layout->addWidget(m_adapters);
    layout->addLayout(form);
    layout->addWidget(browse, 0, Qt::AlignRight);
    layout->addWidget(m_figures);
    layout->addStretch(1);
    layout->addWidget(m_run);
    nameBox(m_type, tr("Type of the weights"));
    nameBox(m_shards, tr("Divided into"));
    return panel;
}

QWidget* WeightsPage::makeResult() {
    auto* page = new QWidget(this);
    m_resultTitle = makeElidedHeading(page);
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("weightsSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    auto* inspect = makeButton(page, "inspectWeights", "inspect", tr("Open in Inspect"));
    auto* folder = makeButton(page, "showWeights", "folder", tr("Show in its folder"));
    auto* another = makeButton(page, "anotherWeights", "file", tr("Another model…"));
    connect(inspect, &QPushButton::clicked, this, [this] { emit inspectWanted(m_session.runs().target()); });
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString place = QFileInfo(m_session.runs().target()).absolutePath();
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(place)))
            emit message(tr("No program to show folders was found; the result is in %1.").arg(shortPath(place)));
    });
    connect(another, &QPushButton::clicked, this, &WeightsPage::closeWanted);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {inspect, folder, another}) buttons->addWidget(button);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addWidget(m_resultTitle);
    layout->addWidget(m_summary);
    layout->addLayout(buttons);
    layout->addStretch(1);
    return page;
}

void WeightsPage::change(const std::function<void(WeightsChoices&)>& apply) {
    WeightsChoices choices = m_session.choices();
    apply(choices);
    m_session.choose(choices);
}

void WeightsPage::addAdapter() {
    const QString folder = QFileInfo(m_session.choices().source).absolutePath();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Choose the folder of an adapter"), folder);
    });
    if (!path.isEmpty()) change([&path](WeightsChoices& c) { c.adapters.append({path, 1}); });
}

// A row for each: how much of it is added, and a button that takes it away.
void WeightsPage::refreshAdapters() {
    const auto& adapters = m_session.choices().adapters;
    if (adapters == m_shownAdapters) return;
    m_shownAdapters = adapters;
    qDeleteAll(m_adapters->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    for (qsizetype i = 0; i < adapters.size(); ++i) {
        auto* row = new QWidget(m_adapters);
        auto* name = new QLabel(row);
        name->setTextFormat(Qt::PlainText);
        name->setText(name->fontMetrics().elidedText(QFileInfo(adapters[i].path).fileName(), Qt::ElideMiddle, choicesWidth / 2));
        name->setToolTip(plainText(shortPath(adapters[i].path)));
        auto* scale = new QDoubleSpinBox(row);
        scale->setRange(-10, 10);
        scale->setSingleStep(0.1);
        scale->setValue(adapters[i].scale);
        scale->setKeyboardTracking(false);
        scale->setAccessibleName(tr("How much of %1 is added").arg(QFileInfo(adapters[i].path).fileName()));
        needFocusForWheel(scale);
        connect(
            scale, &QDoubleSpinBox::valueChanged, this,
            [this, i](double value) { change([i, value](WeightsChoices& c) { c.adapters[i].scale = value; }); },
            Qt::QueuedConnection);
        auto* remove = new QPushButton(icon(QStringLiteral("remove")), {}, row);
        remove->setAccessibleName(tr("Leave %1 out").arg(QFileInfo(adapters[i].path).fileName()));
        remove->setToolTip(tr("Leave this adapter out"));
        connect(
            remove, &QPushButton::clicked, this, [this, i] { change([i](WeightsChoices& c) { c.adapters.removeAt(i); }); },
            Qt::QueuedConnection);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(name, 1);
        layout->addWidget(scale);
        layout->addWidget(remove);
        m_adapterRows->addWidget(row);
    }
}

void WeightsPage::chooseTarget() {
    const bool isFile = m_session.choices().goal == WeightsGoal::Safetensors;
    const QString path = askFrom(this, [this, isFile](QWidget* window) {
        return isFile ? QFileDialog::getSaveFileName(window, tr("Where to write"), m_session.target(),
                                                     tr("Safetensors (*.safetensors)"), nullptr, QFileDialog::DontConfirmOverwrite)
                      : QFileDialog::getSaveFileName(window, tr("Name of the new folder"), m_session.target(), QString(), nullptr,
                                                     QFileDialog::DontConfirmOverwrite);
    });
    if (!path.isEmpty()) m_session.setTarget(path);
}

void WeightsPage::onChecked(const RunCheck& check) {
    if (!m_session.plan()) return;
    const QString text = tr("%1 exists already. Its files are replaced by those of the plan.").arg(shortPath(check.target));
    if (check.exists && !isConfirmed(this, tr("Replace what is there?"), text, tr("Replace"))) return;
    const QString lost = tr("Unfinished work of another plan to %1 is removed.").arg(shortPath(check.target));
    if (check.conflict && !isConfirmed(this, tr("Remove the unfinished work?"), lost, tr("Remove"))) return;
    m_session.run(check.exists);
}

void WeightsPage::refreshPlan() {
    const WeightsChoices& choices = m_session.choices();
    const auto plan = m_session.plan();
    m_title->setText(shortPath(choices.source));
    m_failure->setText(m_session.failure());
    m_failure->setVisible(!m_session.failure().isEmpty());
    m_trust->setVisible(m_session.wantsTrust() || choices.trustsSource);
    m_trust->setChecked(choices.trustsSource);
    m_model->setPlan(plan);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_addAdapter, m_adapters})
        widget->setVisible(choices.goal == WeightsGoal::Merge);
    refreshAdapters();
    m_type->setCurrentIndex(std::max(0, m_type->findData(choices.type ? static_cast<int>(*choices.type) : -1)));
    m_shards->setCurrentIndex(std::max(0, m_shards->findData(QVariant::fromValue<quint64>(choices.shardBytes))));
    if (!m_target->hasFocus()) m_target->setText(QDir::toNativeSeparators(m_session.target()));
    const bool lacksAdapter = choices.goal == WeightsGoal::Merge && choices.adapters.isEmpty();
    m_run->setEnabled(plan && !lacksAdapter && !m_session.isPlanning());
    QStringList figures;
    if (m_session.isPlanning()) figures << tr("Planning…");
    if (lacksAdapter) figures << tr("Add the folder of an adapter that was made for this model.");
    if (plan) {
        figures << tr("%n file(s), %1", nullptr, static_cast<int>(plan->weights.size() + plan->texts.size()))
                       .arg(bytesText(plan->fileBytes()));
        figures << tr("At most %1 of memory").arg(bytesText(memoryBound));
        if (const auto space = io::freeSpace(fsPath(m_session.target())))
            figures << tr("%1 free on the disk").arg(bytesText(*space));
    }
    m_figures->setText(figures.join(QLatin1Char('\n')));
    QStringList notes;
    if (plan)
        for (const Problem& problem : plan->problems) notes << translated(asError(ErrorCode::Internal, problem));
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
}

void WeightsPage::refreshResult() {
    const auto& outcome = m_session.runs().outcome();
    const auto plan = m_session.plan();
    if (!outcome || !plan) return;
    m_resultTitle->setText(shortPath(m_session.runs().target()));
    QStringList lines = {tr("%1 in %2 tensors, written in %3. What was written was read again and compared with its source.")
                             .arg(bytesText(plan->fileBytes()), shownCount(plan->tensors.size()), durationText(outcome->seconds))};
    for (const Problem& remark : outcome->remarks) lines << translated(asError(ErrorCode::Internal, remark));
    m_summary->setText(lines.join(QLatin1Char('\n')));
}

void WeightsPage::refresh() {
    const bool isRunning = m_session.runs().isRunning(), isDone = m_session.runs().outcome().has_value();
    if (isRunning) m_runPage->refresh();
    else if (isDone) refreshResult();
    else refreshPlan();
    m_stack->setCurrentIndex(isRunning ? 1 : isDone ? 2 : 0);
}

} // namespace wb::ui::convert
