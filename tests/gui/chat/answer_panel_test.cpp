// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "ui/chat/answer_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

namespace wb::test {

using ui::chat::AnswerPanel;

class AnswerPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreTheModelsOwnUntilTheyAreChanged() {
        AnswerPanel panel;
        text::ModelSampling own{.source = text::SamplingSource::Gguf, .problem = {}};
        own.options.temperature = 0.25F;
        own.options.topK = 20;
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

    // Numbers of the program are not called the model's.
    void theDefaultsAreCalledByTheirSource() {
        AnswerPanel panel;
        auto* preset = panel.findChild<QComboBox*>(QStringLiteral("preset"));
        QCOMPARE(preset->itemText(0), QStringLiteral("llama.cpp defaults"));
        for (const auto source : {text::SamplingSource::Gguf, text::SamplingSource::GenerationConfig}) {
            panel.setModel({{}, source, {}});
            QCOMPARE(preset->itemText(0), QStringLiteral("Model defaults"));
            QCOMPARE(preset->toolTip().contains(QStringLiteral("generation_config.json")),
                     source == text::SamplingSource::GenerationConfig);
        }
        panel.setModel({});
        QCOMPARE(preset->itemText(0), QStringLiteral("llama.cpp defaults"));
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

    void stopStringsAreLinesAndTheSchemaIsText() {
        AnswerPanel panel;
        panel.findChild<QPlainTextEdit*>(QStringLiteral("stopStrings"))->setPlainText(QStringLiteral("###\n\nUser:\n"));
        panel.findChild<QPlainTextEdit*>(QStringLiteral("responseSchema"))
            ->setPlainText(QStringLiteral("{\"type\": \"object\"}\n"));
        const std::vector<std::string> stops{"###", "User:"};
        QCOMPARE(panel.settings().stopStrings, stops);
        QCOMPARE(panel.settings().responseSchema, std::string("{\"type\": \"object\"}"));
        AnswerPanel other;
        other.setSettings(panel.settings());
        QCOMPARE(other.findChild<QPlainTextEdit*>(QStringLiteral("stopStrings"))->toPlainText(), QStringLiteral("###\nUser:"));
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
};

WB_GUI_TEST(AnswerPanelTest)

} // namespace wb::test

#include "answer_panel_test.moc"
