// SPDX-License-Identifier: MIT
#include "ui/convert/commands.h"

#include "core/convert/gguf/modelfile.h"
#include "ui/convert/confirm.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"

#include <QClipboard>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::convert {

CommandRow::CommandRow(const char* name, const QString& caption, QWidget* parent)
    : QWidget(parent), m_line(new QLineEdit(this)), m_buttons(new QHBoxLayout) {
    auto* label = new QLabel(caption, this);
    label->setBuddy(m_line);
    m_line->setObjectName(QLatin1String(name));
    m_line->setReadOnly(true);
    m_line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_line->setAccessibleName(caption);
    auto* copy = new QPushButton(icon(QStringLiteral("copy")), tr("Copy"), this);
    copy->setObjectName(QLatin1String(name) + QStringLiteral("Copy"));
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_line->text()); });
    m_buttons->addWidget(m_line, 1);
    m_buttons->addWidget(copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(label);
    layout->addLayout(m_buttons);
    hide();
}

void CommandRow::setCommand(const QString& command) {
    m_line->setText(command);
    m_line->setCursorPosition(0);
    setVisible(!command.isEmpty());
}

OllamaRow::OllamaRow(const Services& services, QWidget* parent)
    : QWidget(parent), m_writing(services.jobs), m_row(new CommandRow("ollamaCommand", tr("Add to Ollama:"), this)),
      m_write(new QPushButton(icon(QStringLiteral("export")), tr("Create Modelfile"), this)) {
    m_write->setObjectName(QStringLiteral("writeModelfile"));
    m_write->setToolTip(tr("The command reads a Modelfile next to the model: stop strings, context length and sampling settings"));
    connect(m_write, &QPushButton::clicked, this, &OllamaRow::write);
    m_row->buttons()->addWidget(m_write);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_row);
}

void OllamaRow::setFile(const QString& gguf, const ModelPtr& source) {
    m_file = gguf;
    m_source = source;
    m_row->setCommand(QString::fromStdString(wb::convert::ollamaCommand(QFileInfo(gguf).fileName().toStdString())));
}

void OllamaRow::write() {
    const QString place = QFileInfo(m_file).absolutePath() + QStringLiteral("/Modelfile");
    const bool isThere = QFileInfo::exists(place);
    const QString text = tr("%1 already exists.").arg(shortPath(place));
    if (isThere && !isConfirmed(this, tr("Replace the file?"), text, tr("Replace"))) return;
    const auto work = [file = fsPath(m_file), source = m_source](const Progress&) -> Result<bool> {
        WB_TRY(wb::convert::writeModelfile(file, source.get(), true));
        return true;
    };
    const auto done = [this, place](bool) { emit message(tr("Created %1.").arg(shortPath(place))); };
    m_writing.start<bool>(tr("Creating Modelfile"), work, done,
                          [this](const Error& error) { emit message(Sentence(error).text()); });
}

} // namespace wb::ui::convert
