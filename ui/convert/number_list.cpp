// SPDX-License-Identifier: MIT
#include "ui/convert/number_list.h"

#include "ui/widgets/ask.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/wheel.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui::convert {
namespace {

constexpr int nameWidth = 60; // at least, regardless of its neighbors

} // namespace

NumberList::NumberList(Words words, QWidget* parent)
    : QWidget(parent), m_words(std::move(words)), m_rows(new QVBoxLayout(this)),
      m_add(new QPushButton(icon(QStringLiteral("folder")), m_words.add, this)) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_add->setObjectName(QLatin1String(m_words.button));
    m_add->setToolTip(m_words.addTip);
    connect(m_add, &QPushButton::clicked, this, &NumberList::add);
    auto* buttons = new QWidget(this);
    auto* column = new QVBoxLayout(buttons);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_add);
    if (!m_words.addFile.isEmpty()) {
        auto* file = new QPushButton(icon(QStringLiteral("file")), m_words.addFile, buttons);
        file->setObjectName(QLatin1String(m_words.button) + QStringLiteral("File"));
        file->setToolTip(m_words.chooseFile);
        connect(file, &QPushButton::clicked, this, &NumberList::addFile);
        column->addWidget(file);
    }
    m_rows->addWidget(buttons);
}

template <typename Change>
void NumberList::change(Change apply) {
    Entries entries = m_entries;
    apply(entries);
    emit entriesWanted(entries);
}

void NumberList::add() {
    const QString folder = QFileInfo(m_model).absolutePath();
    const QString path = askFrom(
        this, [this, &folder](QWidget* window) { return QFileDialog::getExistingDirectory(window, m_words.choose, folder); });
    append(path);
}

void NumberList::addFile() {
    const QString folder = QFileInfo(m_model).absolutePath();
    append(askFrom(this, [this, &folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, m_words.chooseFile, folder, m_words.fileFilter);
    }));
}

void NumberList::append(const QString& path) {
    if (!path.isEmpty()) change([&path](Entries& entries) { entries.push_back({path.toStdString(), 1}); });
}

void NumberList::setEntries(const Entries& entries) {
    if (entries == m_entries) return;
    m_entries = entries;
    while (m_rows->count() > 1) {
        delete m_rows->itemAt(1)->widget();
    }
    for (std::size_t i = 0; i < entries.size(); ++i) m_rows->addWidget(row(i));
}

// The row is gone when what it asks for is shown: hence the queue.
QWidget* NumberList::row(std::size_t index) {
    const QString path = QString::fromStdString(m_entries[index].path), name = QFileInfo(path).fileName();
    auto* row = new QWidget(this);
    auto* label = new ElidedLabel(row);
    label->setMinimumWidth(nameWidth);
    label->setText(name);
    label->setToolTip(plainText(shortPath(path)));
    auto* scale = new QDoubleSpinBox(row);
    scale->setRange(-10, 10);
    scale->setSingleStep(0.1);
    scale->setDecimals(3);
    scale->setValue(m_entries[index].scale);
    scale->setKeyboardTracking(false);
    scale->setAccessibleName(m_words.number.arg(name));
    scale->setToolTip(plainText(scale->accessibleName()));
    needFocusForWheel(scale);
    auto* remove = new QToolButton(row);
    remove->setIcon(icon(QStringLiteral("remove")));
    remove->setAccessibleName(m_words.remove.arg(name));
    remove->setToolTip(m_words.removeTip);
    const auto scaled = [this, index](double value) { change([&](Entries& entries) { entries[index].scale = value; }); };
    const auto removed = [this, index] {
        change([&](Entries& entries) { entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index)); });
    };
    connect(scale, &QDoubleSpinBox::valueChanged, this, scaled, Qt::QueuedConnection);
    connect(remove, &QToolButton::clicked, this, removed, Qt::QueuedConnection);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label, 1);
    layout->addWidget(scale);
    layout->addWidget(remove);
    return row;
}

} // namespace wb::ui::convert
