// SPDX-License-Identifier: MIT
#include "ui/convert/choose_page.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <tuple>

namespace wb::ui::convert {
namespace {

constexpr int cardWidth = 600;       // fits the smallest window
constexpr int buttonNameWidth = 480; // of a button for a model
constexpr int buttonWidth = 210;     // of all goals

} // namespace

ChoosePage::ChoosePage(QWidget* parent) : QWidget(parent), m_open(new QWidget(this)), m_hint(makeMutedLabel(this)) {
    auto* open = new QVBoxLayout(m_open);
    open->setContentsMargins(0, 0, 0, 0);
    m_open->hide();
    Card* const card = makeGoals();
    m_hint->setText(tr("You can also choose Quantize… in Inspect, or drop a file or folder here."));
    card->content()->addWidget(m_hint);
    card->content()->addWidget(m_open);
    card->setFixedWidth(cardWidth);
    m_hint->setMinimumHeight(m_hint->heightForWidth(cardWidth - 36)); // centered cards do not ask for it

    auto* cards = new QWidget(this);
    auto* layout = new QVBoxLayout(cards);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(16);
    layout->addStretch(1);
    layout->addWidget(card, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(cards);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
}

// By the purpose of the user.
Card* ChoosePage::makeGoals() {
    auto* card = new Card(this);
    card->setHeading(tr("What do you want to do?"));
    using Goal = std::optional<WeightsGoal>; // empty: a GGUF file
    const std::tuple<Goal, const char*, QString, QString> goals[] = {
        {std::nullopt, "chooseModel", tr("Quantize…"),
         tr("Reduce the size of a GGUF model. Review the plan tensor by tensor; the output is byte-identical to that of "
            "llama.cpp.")},
        {std::nullopt, "chooseFolder", tr("Convert to GGUF…"),
         tr("Turn a Hugging Face folder into a GGUF file of any type in one pass.")},
        {WeightsGoal::Safetensors, "goalSafetensors", tr("Export as safetensors…"),
         tr("Convert any model file to safetensors, which cannot run code when loaded.")},
        {WeightsGoal::Folder, "goalFolder", tr("To Hugging Face folder…"),
         tr("Write a folder with config and tokenizer for training or vLLM, from GGUF files too.")},
        {WeightsGoal::Merge, "goalMerge", tr("Merge an adapter…"),
         tr("Merge LoRA, DoRA and other adapters into their base model.")},
        {WeightsGoal::MergeModels, "goalMergeModels", tr("Merge models…"),
         tr("Merge several models of one architecture into one: linear, SLERP, task arithmetic, TIES, DARE or layers.")},
        {std::nullopt, "goalAdapter", tr("Convert an adapter…"),
         tr("Convert a LoRA or rsLoRA adapter to a GGUF file that llama.cpp applies at load time.")},
        {std::nullopt, "goalVendor", tr("Use another tool…"),
         tr("Convert to TensorRT, OpenVINO, Core ML, LiteRT or ONNX with the vendor's tool, if it is installed.")},
    };
    for (const auto& [goal, name, text, hint] : goals) {
        auto* button = new QPushButton(text, card);
        button->setObjectName(QLatin1String(name));
        button->setMinimumWidth(buttonWidth);
        button->setToolTip(hint);
        const bool isModel = button->objectName() == QLatin1String("chooseModel");
        const bool isVendor = button->objectName() == QLatin1String("goalVendor");
        button->setDefault(isModel);
        connect(button, &QPushButton::clicked, this, [this, isModel, isVendor, goal = goal] {
            if (goal) emit weightsWanted(*goal);
            else if (isModel) emit modelWanted();
            else if (isVendor) emit vendorWanted();
            else emit folderWanted();
        });
        auto* label = makeMutedLabel(card);
        label->setText(hint);
        label->setMinimumHeight(
            label->heightForWidth(cardWidth - 36 - buttonWidth - 20)); // next to the button; a centered card does not ask for it
        auto* row = new QHBoxLayout;
        row->addWidget(button);
        row->addWidget(label, 1);
        card->content()->addLayout(row);
    }
    return card;
}

void ChoosePage::setOpenModels(const QStringList& paths) {
    if (paths == m_openModels) return;
    m_openModels = paths;
    qDeleteAll(m_open->findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly));
    for (const QString& path : paths) {
        auto* button = new QPushButton(icon(QStringLiteral("file")), {}, m_open);
        button->setObjectName(QStringLiteral("openModel"));
        button->setText(button->fontMetrics()
                            .elidedText(QFileInfo(path).fileName(), Qt::ElideMiddle, buttonNameWidth)
                            .replace(u'&', QStringLiteral("&&")));
        button->setAccessibleName(tr("Quantize %1").arg(QFileInfo(path).fileName()));
        button->setToolTip(plainText(path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit modelChosen(path); });
        m_open->layout()->addWidget(button);
        m_open->layout()->setAlignment(button, Qt::AlignLeft);
    }
    m_open->setVisible(!paths.isEmpty());
    m_hint->setText(paths.isEmpty() ? tr("You can also choose Quantize… in Inspect, or drop a file or folder here.")
                                    : tr("You can also drop a file or folder here, or start with an open model:"));
}

} // namespace wb::ui::convert
