// SPDX-License-Identifier: MIT
#include "ui/convert/convert_tab.h"

#include "ui/convert/choose_page.h"
#include "ui/convert/convert_actions.h"
#include "ui/convert/plan_page.h"
#include "ui/convert/confirm.h"
#include "ui/convert/queue/queue_strip.h"
#include "ui/convert/queue/runs_work.h"
#include "ui/convert/result_page.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/convert/run_page.h"
#include "ui/convert/vendor/vendor_dialog.h"
#include "ui/convert/weights/weights_page.h"
#include "ui/convert/wizard.h"
#include "ui/shell/settings/language.h"
#include "ui/shell/danger_question.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonObject>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace wb::ui {

using namespace convert;

namespace {

// Judged by the name, since a drop is answered at once and files are read by jobs only. A store may name models without a suffix.
bool mayBeModel(const QString& path) {
    const QFileInfo file(path);
    const auto has = [&path](const char* name) { return QFileInfo(path + QLatin1Char('/') + QLatin1String(name)).isFile(); };
    if (file.isDir()) return has("config.json") || has("adapter_config.json");
    return file.isFile() && (file.suffix().isEmpty() || file.suffix().compare(QStringLiteral("gguf"), Qt::CaseInsensitive) == 0);
}

// What opens but is neither a folder nor a GGUF file becomes safetensors.
bool isOtherModel(const QString& path) {
    static const QStringList suffixes =
        QStringLiteral("safetensors pt pth bin ckpt npz npy onnx ort h5 keras tflite msgpack pkl pickle joblib").split(u' ');
    const QFileInfo file(path);
    return file.isFile() && suffixes.contains(file.suffix().toLower());
}

} // namespace

ConvertTab::ConvertTab(const Services& services, QWidget* parent)
    : Tab(parent), m_services(services), m_wizard(new Wizard(services, this)), m_unfinished(new UnfinishedList(services)),
      m_work(new RunsWork(m_wizard->queue(), m_wizard->runs(), *m_unfinished, this)),
      m_weights(new WeightsSession(services, *m_wizard)), m_question(new DangerQuestion(services, this)),
      m_actions(new ConvertActions(this)), m_layout(new QVBoxLayout(this)), m_stack(new QStackedWidget(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_stack, 1);
    connect(m_actions->choose, &QAction::triggered, this, &ConvertTab::askForModel);
    connect(m_actions->memory, &QAction::triggered, this,
            [this] { emit handOverWanted(QStringLiteral("memory"), {m_wizard->plans().path()}); });
    connect(m_wizard, &Wizard::changed, this, &ConvertTab::refresh);
    connect(m_wizard, &Wizard::choiceMade, this, &ConvertTab::retract);
    m_unfinished->setParent(this);
    connect(m_work, &RunsWork::resumeWanted, this, &ConvertTab::resume);
    connect(m_work, &RunsWork::discardWanted, this, &ConvertTab::discard);
    connect(m_work, &RunsWork::discardQueuedWanted, this, &ConvertTab::discardQueued);
    m_weights->setParent(this);
    connect(m_weights, &WeightsSession::changed, this, &ConvertTab::refresh);
    connect(m_services.openModels, &OpenModels::changed, this, &ConvertTab::offerOpenModels);
    connect(m_unfinished, &UnfinishedList::discardFailed, this, [this](const Sentence& why) { emit message(why.text(), true); });
    makePages();
    m_wizard->queue().load();
    m_wizard->budget().proposeMemory();
    m_unfinished->refresh(); // for the Jobs page
}

ConvertTab::~ConvertTab() { m_services.openModels->set(id(), {}); }

QString ConvertTab::title() const { return tr("Convert"); }

QIcon ConvertTab::icon() const { return ui::icon(QStringLiteral("convert")); }

void ConvertTab::makePages() {
    retract();              // in the language as it was
    m_resultPage = nullptr; // the last of the pages: while they are made again there is nothing to refresh
    while (m_stack->count() > 0) delete m_stack->widget(0);
    delete m_strip;
    m_layout->insertWidget(0, m_strip = new QueueStrip(*m_wizard, *m_unfinished, this));
    connect(m_strip, &QueueStrip::jobsWanted, this, &Tab::jobsWanted);
    m_choosePage = new ChoosePage(m_stack);
    m_planPage = new PlanPage(*m_wizard, m_services, *m_actions, m_stack);
    m_runPage = new RunPage(*m_wizard, m_stack);
    m_resultPage = new ResultPage(m_wizard->runs(), m_wizard->plans(), m_services, m_stack);
    m_weightsPage = new WeightsPage(*m_weights, *m_wizard, *m_actions, m_stack);
    for (QWidget* page : std::initializer_list<QWidget*>{m_choosePage, m_planPage, m_runPage, m_resultPage, m_weightsPage})
        m_stack->addWidget(page);
    connect(m_choosePage, &ChoosePage::weightsWanted, this, &ConvertTab::askForWeights);
    connect(m_weightsPage, &WeightsPage::closeWanted, this, [this] { m_weights->close(); });
    connect(m_weightsPage, &WeightsPage::message, this, &ConvertTab::say);
    connect(m_weightsPage, &WeightsPage::inspectWanted, this,
            [this](const QString& path) { emit handOverWanted(QStringLiteral("inspect"), {path}); });
    connect(m_choosePage, &ChoosePage::modelWanted, this, &ConvertTab::askForModel);
    connect(m_choosePage, &ChoosePage::folderWanted, this, &ConvertTab::askForFolder);
    connect(m_choosePage, &ChoosePage::vendorWanted, this, &ConvertTab::showVendorTools);
    connect(m_choosePage, &ChoosePage::modelChosen, this, [this](const QString& path) {
        QTimer::singleShot(0, this, [this, path] { openPaths({path}); }); // the button may go meanwhile
    });
    connect(m_planPage, &PlanPage::otherModelWanted, this, [this] {
        if (mayLeavePlan()) m_wizard->closeModel();
    });
    connect(m_planPage, &PlanPage::message, this, &ConvertTab::say);
    connect(m_planPage, &PlanPage::resumeWanted, this, &ConvertTab::resume);
    connect(m_planPage, &PlanPage::discardWanted, this, &ConvertTab::discard);
    connect(m_resultPage, &ResultPage::message, this, &ConvertTab::say);
    connect(m_resultPage, &ResultPage::planWanted, m_wizard, &Wizard::backToPlan);
    connect(m_resultPage, &ResultPage::anotherWanted, m_wizard, &Wizard::closeModel);
    connect(m_resultPage, &ResultPage::inspectWanted, this,
            [this](const QString& path) { emit handOverWanted(QStringLiteral("inspect"), {path}); });
    connect(m_resultPage, &ResultPage::chatWanted, this,
            [this](const QString& path) { emit handOverWanted(QStringLiteral("chat"), {path}); });
    refresh();
}

// The reason of a failed action is obsolete after another action.
void ConvertTab::say(const QString& text) {
    m_said = text;
    emit message(text, true);
}

void ConvertTab::retract() {
    if (!m_said.isEmpty()) emit messageOver(std::exchange(m_said, {}));
}

void ConvertTab::enterModels() {
    QList<ModelInUse> models;
    if (const ModelPtr model = m_wizard->plans().model()) models.append({m_wizard->plans().path(), model});
    if (m_weights->isOpen()) models.append({m_weights->choices().source, nullptr});
    m_services.openModels->set(id(), models);
}

void ConvertTab::refresh() {
    if (!m_resultPage) return;
    enterModels();
    const Wizard::Step step = m_wizard->step();
    const bool isRunning = m_wizard->runs().isRunning();
    const bool isDone = std::exchange(m_hasRun, isRunning) && !isRunning && step == Wizard::Step::Result;
    const bool isChoosing = step == Wizard::Step::Choose && isVisible();
    if (isDone || isChoosing) m_unfinished->refresh(); // its run may have been an unfinished one
    if (isChoosing) offerOpenModels();
    if (step == Wizard::Step::Choose && !m_wizard->failure().isEmpty()) say(m_wizard->failure());
    m_planPage->refresh(); // its actions are those of the tab in every step
    if (std::exchange(m_subject, subject()) != m_subject) emit subjectChanged();
    m_actions->memory->setEnabled(m_wizard->plans().model() != nullptr);
    takeWantedType();
    if (step == Wizard::Step::Run) m_runPage->refresh();
    if (step == Wizard::Step::Result) m_resultPage->refresh();
    const bool showsWeights = m_weights->isOpen() && step != Wizard::Step::Run;
    if (showsWeights) {
        m_weightsPage->refresh();
        m_weightsPage->refreshActions();
    }
    if (showsWeights) m_stack->setCurrentWidget(m_weightsPage);
    else m_stack->setCurrentIndex(static_cast<int>(step));
}

void ConvertTab::offerOpenModels() {
    QStringList paths = m_services.openModels->paths(QStringLiteral("inspect"));
    paths.removeIf([](const QString& path) { return !mayBeModel(path); });
    m_choosePage->setOpenModels(paths);
}

// Which may ask: not while the Jobs page hands out its command.
void ConvertTab::resume(const UnfinishedRun& run) {
    QTimer::singleShot(0, this, [this, run] {
        if (!wb::convert::isWeightsPlan(run.record.plan)) return m_wizard->resume(run);
        m_weights->resume(run);
        if (!m_weights->isOpen() && !m_weights->failure().isEmpty()) say(m_weights->failure());
    });
}

void ConvertTab::discard(const UnfinishedRun& run) {
    QTimer::singleShot(0, this, [this, run] {
        if (!mayDiscard(targetPath(run), run.state == UnfinishedRun::State::Away)) return;
        m_wizard->forgetKept();
        m_unfinished->discard(targetPath(run));
    });
}

bool ConvertTab::mayDiscard(const QString& target, bool isAway) {
    const QString text =
        isAway ? tr("The folder of %1 no longer exists. The output written so far is kept, but the job cannot be resumed.")
               : tr("The partial output of %1 will be deleted.");
    return isConfirmed(this, tr("Discard the unfinished job?"), text.arg(shortPath(target)), tr("Discard"));
}

// The others of the queue continue to wait.
void ConvertTab::discardQueued(quint64 id) {
    QTimer::singleShot(0, this, [this, id] {
        QString target;
        for (const QueuedRun& queued : m_wizard->queue().runs())
            if (queued.id == id) target = queued.target;
        if (target.isEmpty() || !mayDiscard(target, false)) return;
        m_wizard->queue().remove(id);
        m_unfinished->discard(target);
    });
}

WorkSource* ConvertTab::workSource() { return m_work; }

QString ConvertTab::subject() const {
    const QString path = m_weights->isOpen() ? m_weights->choices().source : m_wizard->plans().path();
    return QFileInfo(path).fileName();
}

void ConvertTab::askForModel() {
    const QString folder = m_services.folderToOpenFrom();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose a model to quantize"), folder, tr("GGUF models (*.gguf)"));
    });
    if (!path.isEmpty()) openPaths({path});
}

void ConvertTab::askForFolder() {
    const QString folder = m_services.folderToOpenFrom();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Choose a Hugging Face folder to convert"), folder);
    });
    if (!path.isEmpty()) openPaths({path});
}

void ConvertTab::showVendorTools() {
    auto* dialog = new VendorDialog(m_services, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// Files and folders are different dialogs: what opens as a folder is requested as one.
void ConvertTab::askForWeights(WeightsGoal goal) {
    const QString folder = m_services.folderToOpenFrom();
    const QString path = askFrom(this, [&folder, goal](QWidget* window) {
        if (goal == WeightsGoal::MergeModels)
            return QFileDialog::getExistingDirectory(window, tr("Choose the base model folder"), folder);
        return goal == WeightsGoal::Merge
                   ? QFileDialog::getExistingDirectory(window, tr("Choose the base model folder of the adapter"), folder)
                   : QFileDialog::getOpenFileName(window, tr("Choose a model"), folder);
    });
    if (!path.isEmpty()) useWeights(goal, path);
}

void ConvertTab::useWeights(WeightsGoal goal, const QString& path) {
    m_question->ask(path, [this, goal, path] {
        m_wizard->leaveRuns(); // what runs continues
        m_weights->begin(goal, path);
    });
}

void ConvertTab::openFor(const QString& path, quant::FileType type) {
    m_wantedPath = path;
    m_wantedType = type;
    if (openPaths({path})) takeWantedType();
    else m_wantedType.reset();
}

void ConvertTab::takeWantedType() {
    const bool isOpen =
        m_wizard->step() == Wizard::Step::Plan && m_wizard->plans().model() && m_wizard->plans().isForModel(m_wantedPath);
    if (m_wantedType && isOpen) m_wizard->choices().setMix(*std::exchange(m_wantedType, std::nullopt));
}

bool ConvertTab::openPaths(const QStringList& paths) {
    if (paths.size() != 1) return false;
    m_weights->close();
    const QString& path = paths.first();
    if (isOtherModel(path)) useWeights(WeightsGoal::Safetensors, path);
    else if (m_wizard->plans().isForModel(path)) m_wizard->showPlan();
    else if (mayLeavePlan()) m_question->ask(path, [this, path] { m_wizard->openModel(path); });
    return true;
}

bool ConvertTab::takeDrop(const QStringList& paths) {
    if (paths.size() != 1) return false;
    const QString path = paths.first();
    const bool hasPlan = m_wizard->step() == Wizard::Step::Plan && m_wizard->plans().model();
    if (hasPlan && path.endsWith(PlanPage::ending)) m_wizard->plans().loadPlan(path);
    else if (hasPlan && QFileInfo(path).fileName().contains(QStringLiteral("imatrix"), Qt::CaseInsensitive))
        m_wizard->choices().setMatrix(path);
    else if (mayBeModel(path) || isOtherModel(path))
        QTimer::singleShot(0, this, [this, path] { openPaths({path}); }); // which may ask
    else return false;
    return true;
}

bool ConvertTab::mayLeavePlan() {
    if (!m_wizard->hasChoices()) return true;
    const QString text = tr("Your changes for %1 will be lost unless you save the plan.");
    return isConfirmed(this, tr("Close this plan?"), text.arg(QFileInfo(m_wizard->plans().path()).fileName()), tr("Close plan"));
}

QList<QAction*> ConvertTab::paletteActions(const QString& text, int limit) {
    QList<QAction*> found;
    const auto actions = m_actions->all();
    for (QAction* action : actions)
        if (found.size() < limit && action->isEnabled() &&
            (action->text().contains(text, Qt::CaseInsensitive) || englishText(action->text()).contains(text, Qt::CaseInsensitive)))
            found.append(action);
    return found;
}

QJsonObject ConvertTab::saveSession() const {
    if (m_weights->isOpen())
        return {{QStringLiteral("weights"), m_weights->choices().source},
                {QStringLiteral("plan"), m_weights->planText()},
                {QStringLiteral("target"), m_weights->target()}};
    if (m_wizard->step() != Wizard::Step::Plan) return {};
    return {{QStringLiteral("model"), m_wizard->plans().path()}, {QStringLiteral("plan"), m_wizard->plans().planText()}};
}

void ConvertTab::restoreSession(const QJsonObject& session) {
    const QString weights = session.value(QStringLiteral("weights")).toString(),
                  plan = session.value(QStringLiteral("plan")).toString();
    if (const auto choices = readChoices(weights, plan, QFileInfo(weights).fileName()); !weights.isEmpty() && choices)
        m_weights->open(*choices, session.value(QStringLiteral("target")).toString());
    if (const QString model = session.value(QStringLiteral("model")).toString(); !model.isEmpty())
        m_wizard->openModel(model, session.value(QStringLiteral("plan")).toString());
}

void ConvertTab::showEvent(QShowEvent* event) {
    Tab::showEvent(event);
    if (m_wizard->step() != Wizard::Step::Choose) return;
    m_unfinished->refresh();
    offerOpenModels();
}

void ConvertTab::changeEvent(QEvent* event) {
    Tab::changeEvent(event);
    // Pages are made again in the other language, but not while Qt is still handing the event around among them.
    if (event->type() == QEvent::LanguageChange) QTimer::singleShot(0, this, &ConvertTab::makePages);
    // Another window may have ended a run meanwhile, or begun one.
    if (event->type() == QEvent::ActivationChange && isVisible() && m_wizard->step() == Wizard::Step::Choose)
        m_unfinished->refresh();
}

} // namespace wb::ui
