// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "ui/chat/answer_panel.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonObject>
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

    // A preset stores all settings that do not belong to one conversation; it is restored by its name and with the session.
    void savedPresetsKeepAllSettings() {
        AnswerPanel panel;
        auto* preset = panel.findChild<QComboBox*>(QStringLiteral("preset"));
        auto* remove = panel.findChild<QPushButton*>(QStringLiteral("deletePreset"));
        QSignalSpy saved(&panel, &AnswerPanel::presetsChanged);
        chat::ConversationSettings settings;
        settings.instruction = "Answer in verse.";
        settings.temperature = 1.3;
        settings.stopStrings = {"###"};
        settings.leftOut = 8;
        panel.setSettings(settings);
        QVERIFY(!remove->isEnabled());
        panel.savePreset(QStringLiteral(" Poet "));
        panel.savePreset(QStringLiteral("  ")); // no name
        QCOMPARE(saved.size(), 1);
        QCOMPARE(preset->currentText(), QStringLiteral("Poet"));
        const auto presets = saved[0][0].value<ui::chat::SavedPresets>();
        QCOMPARE(ui::chat::presetsFromJson(ui::chat::presetsToJson(presets)), presets);

        AnswerPanel other;
        other.setPresets(presets);
        settings = {};
        settings.leftOut = 4;
        other.setSettings(settings);
        preset = other.findChild<QComboBox*>(QStringLiteral("preset"));
        QCOMPARE(preset->currentIndex(), 0);
        emit preset->activated(preset->findText(QStringLiteral("Poet")));
        QCOMPARE(other.settings().instruction, std::string("Answer in verse."));
        QCOMPARE(other.settings().temperature, std::optional(1.3));
        QCOMPARE(other.settings().leftOut, std::int64_t{4});
        other.findChild<QPushButton*>(QStringLiteral("deletePreset"))->click();
        QCOMPARE(preset->currentText(), QStringLiteral("Custom"));
        QCOMPARE(preset->findText(QStringLiteral("Poet")), -1);
    }

    void presetsOfAFileMayBeAnything() {
        const QJsonArray json{7, QJsonObject{{QStringLiteral("name"), QString()}},
                              QJsonObject{{QStringLiteral("name"), QStringLiteral("a")}, {QStringLiteral("settings"), 7}},
                              QJsonObject{{QStringLiteral("name"), QStringLiteral("a")}}};
        const ui::chat::SavedPresets presets = ui::chat::presetsFromJson(json);
        QCOMPARE(presets.size(), 1);
        QCOMPARE(presets[0].settings, chat::ConversationSettings());
    }

    void anotherTemplateIsChosenOrWritten() {
        AnswerPanel panel;
        auto* box = panel.findChild<QComboBox*>(QStringLiteral("chatTemplate"));
        auto* words = panel.findChild<QPlainTextEdit*>(QStringLiteral("templateText"));
        QVERIFY(words->isHidden());
        QVERIFY(box->currentText().contains(QStringLiteral("model")));
        panel.setHasTemplate(false);
        QVERIFY(box->currentText().contains(QStringLiteral("None")));
        emit box->activated(box->findText(QStringLiteral("Alpaca")));
        QVERIFY(panel.settings().chatTemplate.find("### Response:") != std::string::npos);
        QCOMPARE(panel.settings().stopStrings, std::vector<std::string>{"### Instruction:"});
        QVERIFY(words->isHidden());
        emit box->activated(box->count() - 1);
        QVERIFY(!words->isHidden());
        words->setPlainText(QStringLiteral("{{ messages[0].content }}"));
        QCOMPARE(panel.settings().chatTemplate, std::string("{{ messages[0].content }}"));
        emit box->activated(0);
        QVERIFY(panel.settings().chatTemplate.empty());
        QVERIFY(words->isHidden());
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
