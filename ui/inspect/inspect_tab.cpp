// SPDX-License-Identifier: MIT
#include "ui/inspect/inspect_tab.h"

#include "ui/inspect/compare/compare_page.h"
#include "ui/inspect/guide/guide_dialog.h"
#include "ui/inspect/inspect_actions.h"
#include "ui/widgets/message_bar.h"
#include "ui/inspect/metadata/metadata_panel.h"
#include "ui/inspect/document/model_opener.h"
#include "ui/inspect/model_page.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/palette_tensors.h"
#include "ui/widgets/tabs.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/shell/settings/language.h"
#include "ui/shell/start/drop_card.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/translate.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

namespace wb::ui {

using namespace inspect;

InspectTab::InspectTab(const Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_opener(new ModelOpener(services, this)), m_actions(new InspectActions(this)),
      m_bar(new MessageBar(this)), m_busy(makeBusyRow()), m_stack(new QStackedWidget(this)),
      m_pages(makeTabs(QStringLiteral("models"), this)) {
    m_pages->setMovable(true);
    m_pages->setElideMode(Qt::ElideMiddle);
    m_pages->setUsesScrollButtons(true);
    m_pages->setCornerWidget(makeModelList());
    m_stack->addWidget(makeEmptyPage());
    m_stack->addWidget(m_pages);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);

    m_busyDelay.setSingleShot(true);
    m_busyDelay.setInterval(200); // most models open faster, and a row that only flashes is noise
    connect(&m_busyDelay, &QTimer::timeout, m_busy, &QWidget::show);
    connect(m_opener, &ModelOpener::busyChanged, this, &InspectTab::updateBusy);
    connect(m_opener, &ModelOpener::opened, this, &InspectTab::addOpened);
    connect(m_opener, &ModelOpener::failed, this, [this](const OpenRequest&, const Error& error) {
        constexpr std::size_t maxShown = 5;
        m_failures.push_back(error);
        if (m_failures.size() <= maxShown) m_bar->showMessage(Sentence(m_failures[0], {m_failures.begin() + 1, m_failures.end()}));
        emit message(translated(error), true);
    });
    connect(m_pages, &QTabWidget::currentChanged, this, &InspectTab::updateState);
    connectActions();
    updateState();
}

InspectTab::~InspectTab() {
    for (const OpenComparison& comparison : m_comparisons) delete comparison.page;
    for (const OpenModel& model : m_models) delete model.page; // pages look at documents until they go
    m_services.openModels->set(id(), {});
}

QString InspectTab::title() const { return tr("Inspect"); }

QIcon InspectTab::icon() const { return ui::icon(QStringLiteral("inspect")); }

QWidget* InspectTab::makeEmptyPage() {
    auto* page = new QWidget(this);
    auto* card = new DropCard(page);
    connect(card, &DropCard::openFileWanted, this, [this] { askToOpen(false); });
    connect(card, &DropCard::openFolderWanted, this, [this] { askToOpen(true); });
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(card, 0, Qt::AlignCenter);
    return page;
}

// All open models by their whole names, since the tabs of many do not fit side by side.
QWidget* InspectTab::makeModelList() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("openModels"));
    button->setIcon(ui::icon(QStringLiteral("chevron-down")));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (int i = 0; i < m_pages->count(); ++i) {
            QAction* const entry = menu->addAction(m_pages->tabText(i), this, [this, i] { m_pages->setCurrentIndex(i); });
            entry->setCheckable(true);
            entry->setChecked(i == m_pages->currentIndex());
        }
    });
    keepTranslated(button, [button] {
        button->setToolTip(tr("List of open models"));
        button->setAccessibleName(button->toolTip());
    });
    return button;
}

QWidget* InspectTab::makeBusyRow() {
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("busy"));
    m_busyText = new QLabel(row);
    m_busyText->setTextFormat(Qt::PlainText);
    auto* bar = new QProgressBar(row);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedSize(120, 6);
    auto* cancel = new QPushButton(row);
    connect(cancel, &QPushButton::clicked, m_opener, &ModelOpener::cancel);
    keepTranslated(cancel, [cancel] { cancel->setText(tr("Cancel")); });
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(16, 6, 16, 6);
    layout->addWidget(bar);
    layout->addWidget(m_busyText, 1);
    layout->addWidget(cancel);
    row->hide();
    return row;
}

void InspectTab::connectActions() {
    const auto onPage = [this](QAction* action, auto use) {
        connect(action, &QAction::triggered, this, [this, use] {
            if (ModelPage* page = currentPage()) use(page);
        });
    };
    onPage(m_actions->search, [](ModelPage* page) { page->tensors()->focusSearch(); });
    onPage(m_actions->searchMetadata, [](ModelPage* page) {
        page->showSide(ModelPage::Side::Metadata);
        page->metadata()->focusSearch();
    });
    onPage(m_actions->tree, [](ModelPage* page) { page->tensors()->setTree(!page->tensors()->isTree()); });
    onPage(m_actions->compute, [](ModelPage* page) { page->toggleComputing(); });
    onPage(m_actions->exportList, [](ModelPage* page) { page->askForExport(); });
    onPage(m_actions->trend, [](ModelPage* page) { page->showDetail(ModelPage::Detail::Trend); });
    onPage(m_actions->problems, [](ModelPage* page) { page->showSide(ModelPage::Side::Problems); });
    connect(m_actions->reload, &QAction::triggered, this, &InspectTab::reload);
    const auto handOver = [this](const char* tab) {
        if (const OpenModel* model = pageModel(m_pages->currentWidget()))
            emit handOverWanted(QLatin1String(tab), {model->document->path()});
    };
    connect(m_actions->quantize, &QAction::triggered, this, [handOver] { handOver("convert"); });
    connect(m_actions->talk, &QAction::triggered, this, [handOver] { handOver("chat"); });
    connect(m_actions->memory, &QAction::triggered, this, [handOver] { handOver("memory"); });
    connect(m_actions->compare, &QAction::triggered, this, &InspectTab::compareCurrent);
    connect(m_actions->guide, &QAction::triggered, this, &InspectTab::showGuide);
    connect(m_actions->close, &QAction::triggered, this, [this] { closePage(m_pages->currentIndex()); });
}

void InspectTab::askToOpen(bool folder) {
    const QString path = askFrom(this, [folder](QWidget* window) {
        return folder ? QFileDialog::getExistingDirectory(window, tr("Open a model folder"))
                      : QFileDialog::getOpenFileName(window, tr("Open a model file"));
    });
    if (!path.isEmpty()) openPaths({path});
}

bool InspectTab::openPaths(const QStringList& paths) {
    if (m_opener->opening().isEmpty()) m_failures.clear(); // of those that were opened together before
    for (const QString& path : paths) {
        if (const OpenModel* model = modelAt(path)) {
            m_pages->setCurrentWidget(model->page);
            emit opened(path);
        } else {
            m_opener->open({path, {}, true});
        }
    }
    return !paths.isEmpty();
}

bool InspectTab::takeDrop(const QStringList& paths) {
    ComparePage* const page = currentComparison();
    return page && page->takeDrop(paths);
}

bool InspectTab::comparePaths(const QStringList& paths) {
    if (paths.size() != 2) return false;
    compare(comparedSide(paths[0]), comparedSide(paths[1]))->session().start();
    return true;
}

ComparedSide InspectTab::comparedSide(const QString& path) const {
    const auto found = std::ranges::find(m_models, path, [](const OpenModel& model) { return model.document->path(); });
    return {path, found == m_models.end() ? nullptr : found->document->contents().model};
}

ComparePage* InspectTab::compare(const ComparedSide& a, const ComparedSide& b) {
    OpenComparison& comparison = m_comparisons.emplace_back();
    comparison.session = std::make_unique<CompareSession>(m_services, a, b);
    ComparePage* const page = comparison.page = makePage(comparison);
    insertPage(m_pages->count(), comparison);
    m_pages->setCurrentWidget(page);
    updateState();
    return page;
}

void InspectTab::compareCurrent() {
    const OpenModel* const model = pageModel(m_pages->currentWidget());
    if (model && !isRemotePath(model->document->path())) compare(comparedSide(model->document->path()), {});
}

void InspectTab::showGuide() {
    auto* dialog = new GuideDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GuideDialog::convertWanted, this, [this] {
        const OpenModel* const model = pageModel(m_pages->currentWidget());
        const bool isHere = model && !isRemotePath(model->document->path());
        emit handOverWanted(QStringLiteral("convert"), isHere ? QStringList{model->document->path()} : QStringList());
    });
    dialog->open();
}

ComparePage* InspectTab::makePage(const OpenComparison& comparison) {
    auto* page = new ComparePage(*comparison.session, [this] {
        QList<ComparedSide> sides;
        for (const OpenModel& model : m_models)
            if (!isRemotePath(model.document->path())) sides.append(comparedSide(model.document->path()));
        return sides;
    });
    connect(page, &ComparePage::message, this, &Tab::message);
    connect(page, &ComparePage::bothWanted, this, &InspectTab::comparePaths);
    connect(page, &ComparePage::titleChanged, this, [this, page] {
        const int index = m_pages->indexOf(page);
        if (index < 0) return;
        m_pages->setTabText(index, page->title().replace(QLatin1Char('&'), QStringLiteral("&&")));
        if (index == m_pages->currentIndex()) emit subjectChanged();
    });
    return page;
}

InspectTab::OpenComparison* InspectTab::pageComparison(const QWidget* page) {
    const auto found =
        std::ranges::find(m_comparisons, page, [](const OpenComparison& each) -> const QWidget* { return each.page; });
    return found == m_comparisons.end() ? nullptr : &*found;
}

void InspectTab::insertPage(int index, const OpenComparison& comparison) {
    const QString title = comparison.page->title();
    insertPage(index, comparison.page, title, comparison.session->a().path + u'\n' + comparison.session->b().path,
               tr("Close the comparison (Ctrl+W)"));
}

void InspectTab::closeComparison(int index) {
    const QWidget* const page = m_pages->widget(index);
    const auto found =
        std::ranges::find(m_comparisons, page, [](const OpenComparison& each) -> const QWidget* { return each.page; });
    if (found == m_comparisons.end()) return;
    m_pages->removeTab(index);
    OpenComparison closed = std::move(*found);
    m_comparisons.erase(found);
    closed.session->cancel();
    closed.session.release()->setParent(closed.page);
    closed.page->deleteLater(); // as a model's page
    updateState();
}

ComparePage* InspectTab::currentComparison() const { return qobject_cast<ComparePage*>(m_pages->currentWidget()); }

void InspectTab::addOpened(const OpenRequest& request, const stats::Contents& contents) {
    if (m_failures.empty()) m_bar->hide();
    int index = m_pages->count();
    if (OpenModel* before = modelAt(request.path)) { // a reload
        index = m_pages->indexOf(before->page);
        closePage(index);
    }
    OpenModel& model = m_models.emplace_back();
    model.document = std::make_unique<Document>(contents, request.path);
    model.runner = std::make_unique<StatisticsRunner>(*model.document, m_services);
    model.page = makePage(model);
    insertPage(index, model);
    model.page->restore(request.state);
    model.runner->loadCache();
    enterModels();
    if (request.activate) m_pages->setCurrentWidget(model.page);
    updateState();
    emit opened(request.path);
}

ModelPage* InspectTab::makePage(const OpenModel& model) {
    auto* page = new ModelPage(*model.document, *model.runner, m_services);
    page->setOtherModels([this, own = model.document.get()] {
        QList<OtherModel> others;
        for (const OpenModel& other : m_models)
            if (other.document.get() != own) others.append({other.document->contents().model, other.document->title()});
        return others;
    });
    connect(page, &ModelPage::reloadWanted, this, &InspectTab::reload);
    connect(page, &ModelPage::quantizeWanted, m_actions->quantize, &QAction::trigger);
    connect(page, &ModelPage::compareWanted, m_actions->compare, &QAction::trigger);
    connect(page, &ModelPage::memoryWanted, m_actions->memory, &QAction::trigger);
    if (m_services.devices) page->checkRun();
    connect(page, &ModelPage::message, this, &Tab::message);
    return page;
}

void InspectTab::insertPage(int index, const OpenModel& model) {
    insertPage(index, model.page, model.document->title(), model.document->path(), tr("Close the model (Ctrl+W)"));
}

void InspectTab::insertPage(int index, QWidget* page, const QString& title, const QString& toolTip, const QString& closeText) {
    m_pages->insertTab(index, page, QString(title).replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_pages->setTabToolTip(index, plainText(toolTip));
    auto* close = new QToolButton;
    close->setIcon(ui::icon(QStringLiteral("close")));
    close->setIconSize({12, 12});
    close->setFocusPolicy(Qt::NoFocus);
    close->setAccessibleName(tr("Close %1").arg(title));
    close->setToolTip(closeText);
    connect(close, &QToolButton::clicked, this, [this, page] { closePage(m_pages->indexOf(page)); });
    m_pages->tabBar()->setTabButton(index, QTabBar::RightSide, close);
}

InspectTab::OpenModel* InspectTab::pageModel(const QWidget* page) {
    const auto found = std::ranges::find(m_models, page, [](const OpenModel& model) -> const QWidget* { return model.page; });
    return found == m_models.end() ? nullptr : &*found;
}

InspectTab::OpenModel* InspectTab::modelAt(const QString& path) {
    const auto found = std::ranges::find(m_models, path, [](const OpenModel& model) { return model.document->path(); });
    return found == m_models.end() ? nullptr : &*found;
}

ModelPage* InspectTab::currentPage() const { return qobject_cast<ModelPage*>(m_pages->currentWidget()); }

void InspectTab::closePage(int index) {
    const QWidget* page = m_pages->widget(index);
    const auto found = std::ranges::find(m_models, page, [](const OpenModel& model) -> const QWidget* { return model.page; });
    if (found == m_models.end()) return closeComparison(index);
    m_pages->removeTab(index);
    OpenModel closed = std::move(*found);
    m_models.erase(found);
    closed.runner.reset(); // stops its work
    closed.document.release()->setParent(closed.page);
    closed.page->deleteLater(); // a key press may still be on its way through the page
    enterModels();
    updateState();
}

void InspectTab::enterModels() {
    QList<ModelInUse> models;
    for (const OpenModel& model : m_models)
        if (!isRemotePath(model.document->path())) // other tabs read files
            models.append({model.document->path(), model.document->contents().model});
    m_services.openModels->set(id(), models);
}

void InspectTab::reload() {
    const OpenModel* model = pageModel(m_pages->currentWidget());
    if (model) m_opener->open({model->document->path(), model->page->save(), true});
}

void InspectTab::updateBusy() {
    const QString path = m_opener->opening();
    m_busyText->setText(tr("Opening %1").arg(path));
    if (path.isEmpty()) {
        m_busyDelay.stop();
        m_busy->hide();
    } else if (m_busy->isHidden() && !m_busyDelay.isActive()) {
        m_busyDelay.start();
    }
}

QString InspectTab::subject() const {
    const auto found =
        std::ranges::find(m_models, m_pages->currentWidget(), [](const OpenModel& model) -> QWidget* { return model.page; });
    if (found != m_models.end()) return found->document->title();
    const ComparePage* const comparison = currentComparison();
    return comparison ? comparison->title() : QString();
}

void InspectTab::updateState() {
    emit subjectChanged();
    m_stack->setCurrentIndex(m_pages->count() > 0 ? 1 : 0);
    for (QAction* action : m_actions->all()) action->setEnabled(currentPage() != nullptr);
    m_actions->close->setEnabled(m_pages->count() > 0);
    m_actions->guide->setEnabled(true);
    const OpenModel* const model = pageModel(m_pages->currentWidget());
    m_actions->compare->setEnabled(model && !isRemotePath(model->document->path()));
}

QList<QAction*> InspectTab::paletteActions(const QString& wanted, int limit) {
    qDeleteAll(std::exchange(m_paletteActions, {}));
    QList<QAction*> found;
    for (QAction* action : m_actions->all())
        if (action->isEnabled() && (hasAllWords(action->text(), wanted) || hasAllWords(englishText(action->text()), wanted)))
            found << action;
    const auto offer = [&](const QString& iconName, const QString& label, auto use) {
        auto* action = new QAction(ui::icon(iconName), label, this);
        connect(action, &QAction::triggered, this, use);
        m_paletteActions << action;
        found << action;
    };
    for (const OpenModel& model : m_models)
        if (hasAllWords(model.document->title(), wanted))
            offer(QStringLiteral("file"), model.document->title(), [this, page = model.page] { m_pages->setCurrentWidget(page); });
    if (const OpenModel* const current = pageModel(m_pages->currentWidget()); current && !isRemotePath(current->document->path()))
        for (const OpenModel& model : m_models) {
            const QString label = tr("Compare with %1").arg(model.document->title());
            if (&model == current || isRemotePath(model.document->path()) || !hasAllWords(label, wanted)) continue;
            offer(QStringLiteral("copy"), label,
                  [this, a = current->document->path(), b = model.document->path()] { comparePaths({a, b}); });
        }
    for (const OpenModel& model : m_models)
        for (const std::uint32_t tensor : findTensors(model.document->contents(), wanted, limit - static_cast<int>(found.size())))
            offer(QStringLiteral("table"),
                  QStringLiteral("%1 — %2").arg(text(model.document->contents().tensor(tensor).name), model.document->title()),
                  [this, page = model.page, tensor] {
                      m_pages->setCurrentWidget(page);
                      page->tensors()->chooseTensor(tensor);
                      page->tensors()->focusRows();
                  });
    return found.mid(0, limit);
}

OpenedModel InspectTab::describe(const QString& path) const {
    for (const OpenModel& model : m_models) {
        if (model.document->path() != path) continue;
        const Model& content = model.document->model();
        quint64 bytes = 0;
        for (const ModelFile& file : content.files) bytes += file.bytes;
        return {QString::fromLatin1(formatName(content.format)), bytes, static_cast<int>(content.files.size())};
    }
    return {};
}

QJsonObject InspectTab::saveSession() const {
    QJsonArray models;
    for (int i = 0; i < m_pages->count(); ++i) {
        const auto found =
            std::ranges::find(m_models, m_pages->widget(i), [](const OpenModel& model) -> QWidget* { return model.page; });
        if (found == m_models.end()) {
            const ComparePage* const page = qobject_cast<ComparePage*>(m_pages->widget(i));
            QJsonObject state = page->save();
            state.insert(QStringLiteral("active"), m_pages->currentIndex() == i);
            models.append(state);
            continue;
        }
        if (isRemotePath(found->document->path())) continue; // no start of the program asks a hub
        models.append(QJsonObject{{QStringLiteral("path"), found->document->path()},
                                  {QStringLiteral("active"), m_pages->currentIndex() == i},
                                  {QStringLiteral("state"), found->page->save()}});
    }
    for (const OpenRequest& request : m_opener->unfinished()) {
        if (isRemotePath(request.path)) continue;
        models.append(QJsonObject{{QStringLiteral("path"), request.path},
                                  {QStringLiteral("active"), request.activate},
                                  {QStringLiteral("state"), request.state}});
    }
    return {{QStringLiteral("models"), models}};
}

void InspectTab::restoreSession(const QJsonObject& session) {
    const QJsonArray models = session.value(QStringLiteral("models")).toArray();
    for (const QJsonValue& value : models) {
        const QJsonObject model = value.toObject();
        if (const QString a = model.value(QStringLiteral("compareA")).toString(); !a.isEmpty()) {
            compare({a, nullptr}, {model.value(QStringLiteral("compareB")).toString(), nullptr}); // compared on request
            continue;
        }
        const QString path = model.value(QStringLiteral("path")).toString();
        if (path.isEmpty()) continue;
        m_opener->open({path, model.value(QStringLiteral("state")).toObject(), model.value(QStringLiteral("active")).toBool()});
    }
}

void InspectTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    window()->removeEventFilter(this);
    window()->installEventFilter(this);
    if (ModelPage* page = currentPage()) page->checkFiles();
}

// Coming back from another program is when files have changed.
bool InspectTab::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::WindowActivate && watched == window() && isVisible())
        if (ModelPage* page = currentPage()) page->checkFiles();
    return Tab::eventFilter(watched, event);
}

void InspectTab::changeEvent(QEvent* event) {
    Tab::changeEvent(event);
    // Pages are made again in the other language, but not while Qt is still handing the event around among them.
    if (event->type() == QEvent::LanguageChange) QTimer::singleShot(0, this, &InspectTab::rebuildPages);
}

void InspectTab::rebuildPages() {
    const int current = m_pages->currentIndex();
    for (int i = 0; i < m_pages->count(); ++i) {
        if (OpenComparison* const comparison = pageComparison(m_pages->widget(i))) {
            m_pages->removeTab(i);
            delete std::exchange(comparison->page, nullptr);
            comparison->page = makePage(*comparison);
            insertPage(i, *comparison);
            continue;
        }
        OpenModel* model = pageModel(m_pages->widget(i));
        const QJsonObject state = model->page->save();
        m_pages->removeTab(i);
        delete std::exchange(model->page, nullptr);
        model->page = makePage(*model);
        insertPage(i, *model);
        model->page->restore(state);
    }
    m_pages->setCurrentIndex(current);
}

} // namespace wb::ui
