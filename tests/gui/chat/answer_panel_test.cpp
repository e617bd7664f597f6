// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "core/formats/open.h"
#include "ui/chat/answer_panel.h"
#include "ui/chat/load_plan.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

namespace wb::test {

using ui::chat::AnswerPanel;
using ui::chat::ConversationSettings;
using ui::chat::LoadPlan;
using ui::chat::Preset;

class AnswerPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreTheModelsOwnUntilTheyAreChanged() {
        AnswerPanel panel;
        text::SamplingOptions own;
        own.temperature = 0.25F;
        own.topK = 20;
        panel.setModel(own);
        auto* temperature = panel.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
        QCOMPARE(temperature->value(), 0.25);
        QCOMPARE(panel.findChild<QSpinBox*>(QStringLiteral("topK"))->value(), 20);
        QVERIFY(!panel.settings().changesSampling());
        QSignalSpy changes(&panel, &AnswerPanel::changed);
        temperature->setValue(1.5);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(panel.settings().temperature, std::optional(1.5));
        QCOMPARE(panel.findChild<QComboBox*>(QStringLiteral("preset"))->currentIndex(), 4);
        temperature->setValue(0.25); // the model's own again
        QVERIFY(!panel.settings().temperature);
        QCOMPARE(panel.findChild<QComboBox*>(QStringLiteral("preset"))->currentIndex(), 0);
    }

    void aPresetSetsTheSamplingAndNothingElse() {
        ConversationSettings settings;
        settings.instruction = "Be brief.";
        settings.seed = 7;
        for (const Preset preset : {Preset::Exact, Preset::Balanced, Preset::Lively, Preset::ModelsOwn}) {
            applyPreset(preset, settings);
            QVERIFY(presetOf(settings) == preset);
            QCOMPARE(settings.instruction, std::string("Be brief."));
            QCOMPARE(settings.seed, std::optional(std::uint32_t{7}));
        }
        settings.topK = 3;
        QVERIFY(!presetOf(settings));
    }

    void settingsComeBackFromTheirText() {
        ConversationSettings settings;
        applyPreset(Preset::Lively, settings);
        settings.leftOut = 6;
        settings.instruction = "用中文回答。";
        settings.seed = 0xFFFF'FFFF;
        settings.maxTokens = 12;
        settings.reasoningBudget = 0;
        QVERIFY(ui::chat::settingsOf(jsonOf(settings)) == settings);
        QVERIFY(ui::chat::settingsOf("{}") == ConversationSettings());
        QVERIFY(ui::chat::settingsOf("no JSON") == ConversationSettings());
        QVERIFY(ui::chat::settingsOf(R"({"temperature":-1,"topK":"x","seed":-3,"topP":1e99})") == ConversationSettings());
        text::SamplingOptions options;
        settings.applyTo(options);
        QCOMPARE(options.topK, 0);
        QCOMPARE(options.seed, 0xFFFF'FFFFu);
    }

    void theInstructionIsKept() {
        AnswerPanel panel;
        QSignalSpy changes(&panel, &AnswerPanel::changed);
        panel.findChild<QPlainTextEdit*>(QStringLiteral("instruction"))->setPlainText(QStringLiteral("Answer in verse."));
        QCOMPARE(changes.size(), 1);
        QCOMPARE(panel.settings().instruction, std::string("Answer in verse."));
        panel.setSettings({});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(panel.findChild<QPlainTextEdit*>(QStringLiteral("instruction"))->toPlainText(), QString());
    }

    void everyNumberHasANameForScreenReaders() {
        AnswerPanel panel;
        for (auto* box : panel.findChildren<QAbstractSpinBox*>()) {
            const auto labels = panel.findChildren<QLabel*>();
            QVERIFY2(
                std::ranges::any_of(labels, [box](QLabel* label) { return label->buddy() == box && !label->text().isEmpty(); }),
                qPrintable(box->objectName()));
        }
    }

    void aModelThatDoesNotFitIsRefusedBeforeItIsRead() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const auto model = formats::open(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf");
        QVERIFY(model);
        const auto graph = infer::planGraph(*model);
        QVERIFY(graph);
        const auto placed = infer::makeCpuBackend()->place(*graph, {.threads = 1, .context = 2048});
        QVERIFY(placed);
        const ui::chat::LoadPlan plan = ui::chat::planLoad(*graph, *placed, std::uint64_t{1} << 40);
        QVERIFY(plan.fits());
        QVERIFY(plan.weights > 1'000'000 && plan.weights < 1'200'000);
        QVERIFY(plan.cache > 0 && plan.compute > 0);
        QCOMPARE(plan.fittingContext, std::size_t{2048});
        const ui::chat::LoadPlan tight = ui::chat::planLoad(*graph, *placed, plan.need() - plan.cache / 2);
        QVERIFY(!tight.fits());
        QVERIFY(tight.fittingContext >= 256 && tight.fittingContext < 2048);
        QVERIFY(checkFits(tight, "m").error().reason == Reason("chat.context_memory"));
        const ui::chat::LoadPlan none = ui::chat::planLoad(*graph, *placed, 1000);
        QCOMPARE(none.fittingContext, std::size_t{0});
        QVERIFY(checkFits(none, "m").error().reason == Reason("chat.memory"));
    }
};

WB_GUI_TEST(AnswerPanelTest)

} // namespace wb::test

#include "answer_panel_test.moc"
