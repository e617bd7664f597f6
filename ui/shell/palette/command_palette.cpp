// SPDX-License-Identifier: MIT
#include "ui/shell/palette/command_palette.h"

#include "ui/shell/palette/command_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/translate.h"

#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QTimer>
#include <QVBoxLayout>

namespace wb::ui {
namespace {

constexpr int widest = 680;
constexpr int highest = 440;

void addShadow(QWidget* widget) {
    auto* shadow = new QGraphicsDropShadowEffect(widget);
    shadow->setBlurRadius(40);
    shadow->setOffset(0, 10);
    shadow->setColor(QColor(0, 0, 0, 90));
    widget->setGraphicsEffect(shadow);
}

} // namespace

CommandPalette::CommandPalette(std::function<QList<Command>(const QString&)> commands, QWidget* window)
    : QFrame(window), m_commands(std::move(commands)), m_model(new CommandModel(this)), m_field(new QLineEdit(this)),
      m_list(new QListView(this)), m_nothing(makeMutedLabel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    hide();
    addShadow(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setIconSize({18, 18});
    m_nothing->setContentsMargins(16, 12, 16, 12);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(4);
    layout->addWidget(m_field);
    layout->addWidget(m_nothing);
    layout->addWidget(m_list, 1);

    m_field->installEventFilter(this);
    window->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::announce);
    keepTranslated(this, [this] {
        m_field->setPlaceholderText(tr("Find an action, a recent file or a tensor"));
        m_field->setAccessibleName(tr("Find an action, a recent file or a tensor"));
        m_list->setAccessibleName(tr("Search results"));
        m_nothing->setText(tr("No matches."));
    });
}

void CommandPalette::open() {
    m_field->clear();
    find(QString());
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != m_field) return false;
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) hide();
    if (event->type() != QEvent::KeyPress) return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: hide(); return true;
    case Qt::Key_Tab:
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_Backtab:
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_PageDown: step(8); return true;
    case Qt::Key_PageUp: step(-8); return true;
    default: return false;
    }
}

void CommandPalette::find(const QString& text) {
    m_model->setCommands(m_commands(text), text);
    m_nothing->setVisible(m_model->rowCount() == 0);
    m_list->setVisible(m_model->rowCount() > 0);
    m_list->setCurrentIndex(m_model->index(0, 0));
    place();
}

void CommandPalette::step(int steps) {
    const int last = m_model->rowCount() - 1;
    m_list->setCurrentIndex(m_model->index(std::clamp(m_list->currentIndex().row() + steps, 0, std::max(0, last)), 0));
}

// The command runs from the event loop, after the palette has gone and the focus is back where it was.
void CommandPalette::run() {
    const QModelIndex current = m_list->currentIndex();
    if (!current.isValid()) return;
    const auto command = m_model->command(current.row()).run;
    hide();
    QTimer::singleShot(0, parent(), command);
}

void CommandPalette::place() {
    const QSize room = parentWidget()->size();
    const int rows = m_model->rowCount();
    const int listHeight = rows == 0 ? m_nothing->sizeHint().height() : rows * m_list->sizeHintForRow(0) + 4;
    const int wanted = m_field->sizeHint().height() + listHeight + 20;
    resize(std::min(widest, room.width() - 40), std::min({highest, room.height() - 120, wanted}));
    move((room.width() - width()) / 2, std::min(90, room.height() / 8));
}

// The field keeps the focus, so a screen reader learns from it which line is chosen.
void CommandPalette::announce() {
    m_field->setAccessibleDescription(m_list->currentIndex().data(Qt::AccessibleTextRole).toString());
}

} // namespace wb::ui
