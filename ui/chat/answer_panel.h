// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"
#include "core/text/model_sampling.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace wb::ui::chat {

// How a conversation is answered: the instruction, a preset, and each number of the sampling, with the default if nothing was
// chosen: the model's own number, or llama.cpp's if its author advises none. A number that equals the default counts as not chosen.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    void setModel(const text::ModelSampling& own); // of the model that is loaded
    void setSettings(const wb::chat::ConversationSettings& settings);
    const wb::chat::ConversationSettings& settings() const { return m_settings; }

signals:
    void changed(const wb::chat::ConversationSettings& settings); // by the user

private:
    struct Number {
        QLabel* label;
        QDoubleSpinBox* box;
        std::optional<double> wb::chat::ConversationSettings::* member;
        float text::SamplingOptions::* own;
    };

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
