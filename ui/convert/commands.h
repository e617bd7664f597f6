// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb::ui::convert {

// A command of another program for the output, to be copied: nothing is run. Hidden while none exists.
class CommandRow : public QWidget {
    Q_OBJECT

public:
    CommandRow(const char* name, const QString& caption, QWidget* parent); // `name` is that of the line

    void setCommand(const QString& command);
    QHBoxLayout* buttons() const { return m_buttons; } // after the line

private:
    QLineEdit* m_line;
    QHBoxLayout* m_buttons;
};

// Ollama's: writes a Modelfile next to a GGUF file and shows the command that registers it.
class OllamaRow : public QWidget {
    Q_OBJECT

public:
    explicit OllamaRow(const Services& services, QWidget* parent);

    // `source` may have a generation_config.json; null: it has none.
    void setFile(const QString& gguf, const ModelPtr& source);

signals:
    void message(const QString& text);

private:
    void write();

    LatestJob m_writing;
    CommandRow* m_row;
    QPushButton* m_write;
    QString m_file;
    ModelPtr m_source;
};

} // namespace wb::ui::convert
