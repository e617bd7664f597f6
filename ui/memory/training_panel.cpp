// SPDX-License-Identifier: MIT
#include "ui/memory/training_panel.h"

#include "core/memory/training/optimizers.h"
#include "ui/memory/fields.h"
#include "ui/widgets/translate.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

// Each item's data is the value it stands for.
template <typename Kind>
void fill(QComboBox* box, std::initializer_list<std::pair<QString, Kind>> items, Kind chosen) {
    const QVariant present = box->count() > 0 ? box->currentData() : QVariant(static_cast<int>(chosen));
    box->clear();
    for (const auto& [text, kind] : items) box->addItem(text, static_cast<int>(kind));
    box->setCurrentIndex(box->findData(present));
}

std::uint64_t spinNumber(const QSpinBox* spin) { return static_cast<std::uint64_t>(spin->value()); }

} // namespace

TrainingPanel::TrainingPanel(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_form(makeForm(this)), m_base(makeBox(this, "base")),
      m_targets(makeBox(this, "targets")), m_optimizer(makeBox(this, "optimizer")), m_zero(makeBox(this, "zero")),
      m_offload(makeBox(this, "offload")), m_reference(makeBox(this, "reference")),
      m_sequence(makeSpin(this, "sequence", 1, 1'000'000'000, 512)), m_batch(makeSpin(this, "trainingBatch", 1, 1 << 20, 1)),
      m_rank(makeSpin(this, "rank", 1, 65536, 8)), m_virtualTokens(makeSpin(this, "virtualTokens", 1, 65536, 10)),
      m_gpus(makeSpin(this, "gpus", 1, 65536, 1)), m_checkpointing(new QCheckBox(this)), m_flash(new QCheckBox(this)),
      m_chunkedLoss(new QCheckBox(this)), m_double(new QCheckBox(this)), m_dora(new QCheckBox(this)), m_rslora(new QCheckBox(this)),
      m_gradients(new QCheckBox(this)), m_average(new QCheckBox(this)) {
    for (QWidget* field : std::initializer_list<QWidget*>{m_base, m_sequence, m_batch, m_rank, m_targets, m_virtualTokens,
                                                          m_reference, m_optimizer, m_gpus, m_zero, m_offload})
        m_form->addRow(QString(QChar::Space), field);
    const std::initializer_list<QCheckBox*> boxes = {m_double, m_dora,        m_rslora,    m_checkpointing,
                                                     m_flash,  m_chunkedLoss, m_gradients, m_average};
    for (QCheckBox* box : boxes) m_form->addRow(box);
    m_double->setObjectName(QStringLiteral("doubleQuantized"));
    m_dora->setObjectName(QStringLiteral("dora"));
    m_rslora->setObjectName(QStringLiteral("rslora"));
    m_gradients->setObjectName(QStringLiteral("gradientsInFp32"));
    m_average->setObjectName(QStringLiteral("average"));
    m_double->setChecked(true);
    m_checkpointing->setObjectName(QStringLiteral("checkpointing"));
    m_flash->setObjectName(QStringLiteral("trainingFlash"));
    m_chunkedLoss->setObjectName(QStringLiteral("chunkedLoss"));
    const TrainingSettings usual;
    m_sequence->setValue(static_cast<int>(usual.sequence));
    m_rank->setValue(static_cast<int>(usual.rank));
    m_virtualTokens->setValue(static_cast<int>(usual.virtualTokens));
    m_checkpointing->setChecked(usual.checkpointing);
    m_flash->setChecked(usual.flash);
    for (const Optimizer& optimizer : optimizers()) m_optimizer->addItem(QString::fromLatin1(optimizer.name));
    for (int stage = 0; stage <= 3; ++stage) m_zero->addItem(QString::number(stage), stage);
    for (QSpinBox* spin : {m_sequence, m_batch, m_rank, m_virtualTokens, m_gpus})
        connect(spin, &QSpinBox::valueChanged, this, &TrainingPanel::apply);
    for (QComboBox* box : {m_base, m_targets, m_optimizer, m_zero, m_offload, m_reference})
        connect(box, &QComboBox::currentIndexChanged, this, &TrainingPanel::apply);
    for (QCheckBox* box : boxes) connect(box, &QCheckBox::toggled, this, &TrainingPanel::apply);
    keepTranslated(this, [this] { retranslate(); });
}

void TrainingPanel::start(Method method) {
    m_method = method;
    showFields();
    apply();
}

// Options that a method does not support are not offered, so that the fields never contradict each other.
void TrainingPanel::showFields() {
    const QScopedValueRollback guard(m_isShowing, true);
    const bool isAdapter = m_method == Method::Lora || m_method == Method::Qlora || m_method == Method::Dpo;
    const auto show = [this](QWidget* field, bool isShown) {
        field->setVisible(isShown);
        m_form->labelForField(field)->setVisible(isShown);
    };
    show(m_rank, isAdapter);
    show(m_targets, isAdapter);
    show(m_virtualTokens, m_method == Method::Prompt || m_method == Method::Prefix);
    show(m_reference, m_method == Method::Dpo);
    m_dora->setVisible(isAdapter);
    m_rslora->setVisible(isAdapter);
    m_gradients->setVisible(m_method == Method::Full);
    const QVariant present = m_base->currentData();
    m_base->clear();
    const auto offer = [this](const QString& text, BaseType base) { m_base->addItem(text, static_cast<int>(base)); };
    if (m_method != Method::Qlora) {
        offer(QStringLiteral("BF16"), BaseType::Bf16);
        offer(QStringLiteral("FP16"), BaseType::Fp16);
        offer(QStringLiteral("FP32"), BaseType::Fp32);
    }
    if (m_method != Method::Full) {
        offer(QStringLiteral("NF4"), BaseType::Nf4);
        offer(QStringLiteral("INT8"), BaseType::Int8);
    }
    const int index = m_base->findData(present);
    m_base->setCurrentIndex(index >= 0 && m_method != Method::Qlora && m_method != Method::Lora ? index : 0);
}

void TrainingPanel::apply() {
    if (m_isShowing) return;
    TrainingSettings settings;
    settings.method = m_method;
    settings.base = static_cast<BaseType>(m_base->currentData().toInt());
    m_double->setVisible(settings.base == BaseType::Nf4);
    settings.doubleQuantized = settings.base == BaseType::Nf4 && m_double->isChecked();
    settings.dora = settings.trainsAdapters() && m_dora->isChecked();
    settings.rslora = settings.trainsAdapters() && m_rslora->isChecked();
    settings.gradientsInFp32 = m_method == Method::Full && settings.base != BaseType::Fp32 && m_gradients->isChecked();
    settings.averages = m_average->isChecked();
    settings.rank = spinNumber(m_rank);
    settings.targets = static_cast<Targets>(m_targets->currentData().toInt());
    settings.virtualTokens = spinNumber(m_virtualTokens);
    settings.reference = static_cast<Reference>(m_reference->currentData().toInt());
    settings.sequence = spinNumber(m_sequence);
    settings.batch = spinNumber(m_batch);
    settings.optimizer = optimizerFromName(m_optimizer->currentText().toStdString());
    settings.checkpointing = m_checkpointing->isChecked();
    settings.flash = m_flash->isChecked();
    settings.chunkedLoss = m_chunkedLoss->isChecked();
    settings.gpus = spinNumber(m_gpus);
    settings.zeroStage = static_cast<std::uint64_t>(m_zero->currentData().toInt());
    settings.offload = static_cast<Offload>(m_offload->currentData().toInt());
    m_session.setTraining(settings);
}

void TrainingPanel::retranslate() {
    {
        const QScopedValueRollback guard(m_isShowing, true);
        fill<Targets>(m_targets, {{tr("all linear layers"), Targets::All}, {tr("attention only"), Targets::Attention}},
                      Targets::All);
        fill<Offload>(m_offload,
                      {{tr("none"), Offload::None},
                       {tr("gradients and optimizer states"), Offload::Optimizer},
                       {tr("and weights"), Offload::All}},
                      Offload::None);
        fill<Reference>(m_reference,
                        {{tr("shared base model"), Reference::Shared},
                         {tr("separate copy"), Reference::Copy},
                         {tr("precomputed log-probs"), Reference::Precomputed}},
                        Reference::Shared);
    }
    const std::initializer_list<std::pair<QWidget*, QString>> labels = {{m_base, tr("Base model type")},
                                                                        {m_sequence, tr("Sequence length")},
                                                                        {m_batch, tr("Batch size per GPU")},
                                                                        {m_rank, tr("LoRA rank")},
                                                                        {m_targets, tr("Target modules")},
                                                                        {m_virtualTokens, tr("Virtual tokens")},
                                                                        {m_reference, tr("DPO reference model")},
                                                                        {m_optimizer, tr("Optimizer")},
                                                                        {m_gpus, tr("Number of GPUs")},
                                                                        {m_zero, tr("ZeRO stage")},
                                                                        {m_offload, tr("CPU offload")}};
    for (const auto& [field, text] : labels) setLabel(m_form, field, text);
    m_sequence->setSuffix(tr(" tokens"));
    m_checkpointing->setText(tr("Gradient checkpointing"));
    m_flash->setText(tr("Flash attention"));
    m_chunkedLoss->setText(tr("Chunked loss"));
    m_double->setText(tr("Double quantization"));
    m_dora->setText(tr("Use DoRA"));
    m_rslora->setText(tr("Use rsLoRA"));
    m_gradients->setText(tr("FP32 gradient accumulation"));
    m_average->setText(tr("EMA of weights"));
}

} // namespace wb::ui::memory
