// SPDX-License-Identifier: MIT
#include "ui/convert/adapter_list.h"

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

AdapterList::AdapterList(QWidget* parent)
    : QWidget(parent), m_rows(new QVBoxLayout(this)),
      m_add(new QPushButton(icon(QStringLiteral("folder")), tr("Add an adapter…"), this)) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_add->setObjectName(QStringLiteral("addAdapter"));
    m_add->setToolTip(tr("LoRA and rsLoRA adapters are merged into the weights before any other step"));
    connect(m_add, &QPushButton::clicked, this, &AdapterList::add);
    m_rows->addWidget(m_add);
}

template <typename Change>
void AdapterList::change(Change apply) {
    Adapters adapters = m_adapters;
    apply(adapters);
    emit adaptersWanted(adapters);
}

void AdapterList::add() {
    const QString folder = QFileInfo(m_model).absolutePath();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Choose an adapter folder"), folder);
    });
    if (!path.isEmpty()) change([&path](Adapters& adapters) { adapters.push_back({path.toStdString(), 1}); });
}

void AdapterList::setAdapters(const Adapters& adapters) {
    if (adapters == m_adapters) return;
    m_adapters = adapters;
    while (m_rows->count() > 1) {
        delete m_rows->itemAt(1)->widget();
    }
    for (std::size_t i = 0; i < adapters.size(); ++i) m_rows->addWidget(row(i));
}

// The row is gone when what it asks for is shown: hence the queue.
QWidget* AdapterList::row(std::size_t index) {
    const QString path = QString::fromStdString(m_adapters[index].path), name = QFileInfo(path).fileName();
    auto* row = new QWidget(this);
    auto* label = new ElidedLabel(row);
    label->setMinimumWidth(nameWidth);
    label->setText(name);
    label->setToolTip(plainText(shortPath(path)));
    auto* scale = new QDoubleSpinBox(row);
    scale->setRange(-10, 10);
    scale->setSingleStep(0.1);
    scale->setValue(m_adapters[index].scale);
    scale->setKeyboardTracking(false);
    scale->setAccessibleName(tr("Scale of %1").arg(name));
    scale->setToolTip(plainText(scale->accessibleName()));
    needFocusForWheel(scale);
    auto* remove = new QToolButton(row);
    remove->setIcon(icon(QStringLiteral("remove")));
    remove->setAccessibleName(tr("Remove %1").arg(name));
    remove->setToolTip(tr("Remove this adapter"));
    const auto scaled = [this, index](double value) { change([&](Adapters& adapters) { adapters[index].scale = value; }); };
    const auto removed = [this, index] {
        change([&](Adapters& adapters) { adapters.erase(adapters.begin() + static_cast<std::ptrdiff_t>(index)); });
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
