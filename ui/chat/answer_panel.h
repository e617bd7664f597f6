// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"
#include "core/text/model_sampling.h"
#include "ui/chat/saved_presets.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLayout;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace wb::ui::chat {

// How a conversation is answered: the instruction, a preset, each number of the sampling, and the chat template. A number that was
// not chosen shows its default: the model's own, or llama.cpp's if its author advises none. One that equals the default counts as
// not chosen. The user may save these settings as a preset.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    void setModel(const text::ModelSampling& own); // of the model that is loaded
    void setSettings(const wb::chat::ConversationSettings& settings);
    const wb::chat::ConversationSettings& settings() const { return m_settings; }
    void setHasTemplate(bool has); // whether the loaded model has a template

    void setPresets(const SavedPresets& presets);
    void savePreset(const QString& name); // the settings as they are, under this name
    void deletePreset();                  // the one that is shown

signals:
    void changed(const wb::chat::ConversationSettings& settings); // by the user
    void presetsChanged(const SavedPresets& presets);             // the same

private:
    struct Number {
        QLabel* label;
        QDoubleSpinBox* box;
        std::optional<double> wb::chat::ConversationSettings::* member;
        float text::SamplingOptions::* own;
    };

    QLayout* makePresetButtons();
    void addTemplate();
    void fillPresets();
    void askForName();
    void chooseTemplate(int index);
    QPlainTextEdit* addText(const char* name, QLabel* label);
    void takeTexts();
    void addNumber(const char* name, std::optional<double> wb::chat::ConversationSettings::* member,
                   float text::SamplingOptions::* own, double high, double step);
    QSpinBox* addWhole(const char* name, int high);
    void retranslate();
    QString sourceText() const;
    void showValues();
    void takeWholes();
    void choosePreset(int index);
    void tell();

    wb::chat::ConversationSettings m_settings;
    text::SamplingOptions m_own;
    text::SamplingSource m_source = text::SamplingSource::Defaults;
    QFormLayout* m_form;
    QLabel* m_instructionLabel;
    QPlainTextEdit* m_instruction;
    QLabel* m_presetLabel;
    QComboBox* m_preset;
    QPushButton *m_save, *m_delete;
    SavedPresets m_presets;
    QLabel* m_templateLabel;
    QComboBox* m_template;
    QPlainTextEdit* m_templateText;
    bool m_hasTemplate = true;
    std::vector<Number> m_numbers;
    QLabel* m_topKLabel = nullptr;
    QLabel* m_seedLabel = nullptr;
    QLabel* m_maxLabel = nullptr;
    QLabel* m_reasoningLabel = nullptr;
    QLabel *m_stopLabel, *m_schemaLabel;
    QPlainTextEdit *m_stop, *m_schema;
    QSpinBox* m_topK = nullptr;
    QSpinBox* m_seed = nullptr;
    QSpinBox* m_most = nullptr;
    QSpinBox* m_reasoning = nullptr;
    QPushButton* m_reset;
    bool m_isShowing = false; // values are set by the program
};

} // namespace wb::ui::chat
