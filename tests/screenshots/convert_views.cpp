// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/convert/choose_page.h"
#include "ui/convert/convert_tab.h"
#include "ui/convert/plan_page.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/convert/vendor/vendor_dialog.h"
#include "ui/convert/weights/weights_session.h"
#include "ui/convert/wizard.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRadioButton>
#include <QTabBar>

namespace wb::screenshots {
namespace {

using ui::convert::Wizard;

// A type that takes its time, so that there is something to see; the example is quantized once it is planned.
void runExample(Wizard& wizard, const QString& target) {
    wizard.choices().setMix(quant::FileType::IQ3_S);
    auto* const once = new QObject(&wizard);
    QObject::connect(&wizard, &Wizard::changed, once, [&wizard, once, target] {
        if (!wizard.canRun()) return;
        once->deleteLater();
        QObject::disconnect(&wizard, nullptr, once, nullptr);
        wizard.run(target, true);
    });
}

void emptyQueue(Wizard& wizard) {
    const auto before = wizard.queue().runs();
    for (const ui::convert::QueuedRun& run : before) wizard.queue().remove(run.id);
}

// Three types, in a folder of their own: those of the pictures before are there already.
void queueExample(Wizard& wizard, const QString& example, const QString& folder) {
    static int number = 0;
    emptyQueue(wizard);
    const QDir place(QDir(folder).filePath(QStringLiteral("queue-%1").arg(++number)));
    QDir().mkpath(place.path());
    const QString model = place.filePath(QFileInfo(example).fileName());
    QFile::link(example, model);
    wizard.openModel(model);
    wizard.choices().setAllowRequantize(true);
    auto* const once = new QObject(&wizard);
    QObject::connect(&wizard, &Wizard::changed, once, [&wizard, once] {
        if (!wizard.hasPlan()) return;
        once->deleteLater();
        QObject::disconnect(&wizard, nullptr, once, nullptr);
        wizard.checkMixes({quant::FileType::IQ3_S, quant::FileType::Q4_0, quant::FileType::Q5_0});
    });
}

void chooseGoal(ui::ConvertTab& tab, const char* name) {
    if (auto* button = tab.findChild<QRadioButton*>(QLatin1String(name))) button->setChecked(true);
}

void choosePart(ui::ConvertTab& tab, int part) {
    if (auto* parts = tab.findChild<QTabBar*>(QStringLiteral("parts"))) parts->setCurrentIndex(part);
}

// An adapter in a folder beside that of the model; empty where there is none.
QString adapterBeside(const QString& example) {
    const QDir beside = QFileInfo(example).absoluteDir();
    for (const QFileInfo& folder : beside.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (QFileInfo::exists(folder.filePath() + QStringLiteral("/adapter_config.json"))) return folder.filePath();
    return {};
}

// An adapter merged on the way to a GGUF file, into a folder, and as a GGUF file of its own.
QList<View> adapterViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    const QString adapter = adapterBeside(example);
    if (adapter.isEmpty()) return {};
    Wizard& wizard = tab.wizard();
    auto& weights = tab.weights();
    const auto isPlanned = [&wizard] { return wizard.plans().plain() && !wizard.plans().isPlanning(); };
    const auto hasEnded = [&wizard] { return wizard.step() == Wizard::Step::Result; };
    return {{QStringLiteral("convert-adapter-merged"),
             [&wizard, &tab, example, adapter] {
                 wizard.closeModel();
                 wizard.openModel(example);
                 choosePart(tab, 1);
                 wizard.choices().setAdapters({{adapter.toStdString(), 0.5}});
             },
             isPlanned},
            {QStringLiteral("convert-adapter-weights"),
             [&wizard, &weights, example, adapter] {
                 wizard.closeModel();
                 weights.begin(ui::convert::WeightsGoal::Merge, example);
                 auto choices = weights.choices();
                 choices.file.adapters.push_back({adapter.toStdString(), 1});
                 weights.choose(choices);
             },
             [&weights] { return weights.plan() && !weights.isPlanning() && weights.seconds() >= 0; }},
            {QStringLiteral("convert-adapter-base"),
             [&wizard, &weights, adapter] {
                 weights.close();
                 wizard.openModel(adapter);
             },
             [&wizard] { return !wizard.plans().isPlanning(); }},
            {QStringLiteral("convert-adapter-plan"), [&wizard, example] { wizard.choices().setBase(example); }, isPlanned},
            {QStringLiteral("convert-adapter-result"),
             [&wizard, target = QDir(folder).filePath(QStringLiteral("adapter.gguf"))] { wizard.run(target, true); }, hasEnded},
            {QStringLiteral("convert-adapter-end"), [&wizard] { wizard.closeModel(); }}};
}

// Types chosen for a size, and a run that is cancelled: what its plan and the first page say of the work that is kept.
QList<View> keptViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    Wizard& wizard = tab.wizard();
    const auto isInTheMiddle = [&wizard] {
        return wizard.step() != Wizard::Step::Run || wizard.runs().doneBytes() * 4 > wizard.runs().totalBytes();
    };
    return {{QStringLiteral("convert-budget"),
             [&tab, &wizard, example] {
                 wizard.closeModel();
                 wizard.openModel(example);
                 wizard.choices().setAllowRequantize(true);
                 choosePart(tab, 1);
                 chooseGoal(tab, "bySize");
             },
             [&wizard] { return wizard.plans().isCurrent(); }},
            {QStringLiteral("convert-budget-found"),
             [&wizard] {
                 if (const auto bytes = wizard.budget().goalBytes()) wizard.budget().chooseUnder(*bytes);
             },
             [&wizard] { return !wizard.budget().isMeasuring() && wizard.plans().isCurrent(); }},
            {QStringLiteral("convert-kept-run"),
             [&tab, &wizard, example, target = QDir(folder).filePath(QStringLiteral("kept.gguf"))] {
                 if (!wizard.plans().isOpen()) wizard.openModel(example);
                 wizard.choices().setAllowRequantize(true);
                 chooseGoal(tab, "byMix");
                 runExample(wizard, target);
             },
             isInTheMiddle},
            {QStringLiteral("convert-kept"), [&wizard] { wizard.runs().cancel(); },
             [&wizard] { return wizard.step() != Wizard::Step::Run && (wizard.kept() || wizard.step() != Wizard::Step::Plan); }},
            {QStringLiteral("convert-kept-unfinished"), [&wizard] { wizard.closeModel(); },
             [&tab] { return !tab.unfinished().isBusy() && !tab.unfinished().runs().empty(); }},
            {QStringLiteral("convert-kept-resumed"),
             [&tab, &wizard] {
                 const auto runs = tab.unfinished().runs();
                 if (!runs.empty()) wizard.resume(runs.front());
             },
             [&wizard] { return wizard.step() == Wizard::Step::Result || wizard.step() == Wizard::Step::Choose; }},
            {QStringLiteral("convert-kept-end"), [&wizard] { wizard.closeModel(); }}};
}

// Where the model of the pictures is a Hugging Face folder.
QList<View> folderViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    Wizard& wizard = tab.wizard();
    const auto isPlanned = [&wizard] { // or refused
        return !wizard.plans().isPlanning() && (wizard.plans().plain() || !wizard.failure().isEmpty());
    };
    return {
        {QStringLiteral("convert-folder"),
         [&tab, &wizard, example] {
             wizard.closeModel();
             wizard.openModel(example);
             choosePart(tab, 1);
         },
         isPlanned},
        {QStringLiteral("convert-folder-pairs"), [&tab] { choosePart(tab, 2); }, isPlanned},
        {QStringLiteral("convert-folder-run"),
         [&wizard, target = QDir(folder).filePath(QStringLiteral("folder.gguf"))] { wizard.run(target, true); },
         [&wizard] { return wizard.step() != Wizard::Step::Run || wizard.runs().doneBytes() * 4 > wizard.runs().totalBytes(); }},
        {QStringLiteral("convert-folder-result"), [] {},
         [&wizard] { return wizard.step() == Wizard::Step::Result || !wizard.failure().isEmpty(); }}};
}

// A model merged with one more, and compared with both.
QList<View> mergeViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    auto& weights = tab.weights();
    return {{QStringLiteral("convert-merge-plan"),
             [&tab, &weights, example] {
                 tab.wizard().closeModel();
                 weights.begin(ui::convert::WeightsGoal::MergeModels, example);
                 auto choices = weights.choices();
                 choices.file.merge.models = {example.toStdString()};
                 choices.file.merge.settings.method = merge::MergeMethod::Ties;
                 choices.file.merge.settings.weights = {1};
                 choices.file.merge.settings.density = 0.5;
                 weights.choose(choices);
             },
             [&weights] { return weights.plan() && !weights.isPlanning() && weights.seconds() >= 0; }},
            {QStringLiteral("convert-merge-result"),
             [&weights, target = QDir(folder).filePath(QStringLiteral("merged-hf"))] {
                 weights.setTarget(target);
                 weights.run(true);
             },
             [&weights] { return !weights.isRunning(); }},
            {QStringLiteral("convert-merge-end"), [&weights] { weights.close(); }}};
}

View vendorView(ui::ConvertTab& tab, const QString& example) {
    return {QStringLiteral("convert-vendor"), [&tab, example] {
                if (auto* page = tab.findChild<ui::convert::ChoosePage*>()) Q_EMIT page->vendorWanted();
                auto* dialog = tab.findChild<ui::convert::VendorDialog*>();
                if (!dialog) return;
                dialog->setTarget(wb::convert::VendorTarget::OpenVino);
                dialog->setSource(example);
            }};
}

// Tensors of another type, in several files.
QList<View> castViews(ui::ConvertTab& tab, const QString& example) {
    auto& weights = tab.weights();
    return {{QStringLiteral("convert-cast-plan"),
             [&tab, &weights, example] {
                 tab.wizard().closeModel();
                 weights.begin(ui::convert::WeightsGoal::Safetensors, example);
                 auto choices = weights.choices();
                 choices.file.type = Dtype::F16;
                 choices.file.shardBytes = 1'000'000'000;
                 weights.choose(choices);
             },
             [&weights] { return weights.plan() && !weights.isPlanning() && weights.seconds() >= 0; }},
            {QStringLiteral("convert-cast-end"), [&weights] { weights.close(); }}};
}

// Weights written otherwise than as GGUF: a plan, and what came of it.
QList<View> weightsViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    using ui::convert::WeightsGoal;
    auto& weights = tab.weights();
    const WeightsGoal goal = QFileInfo(example).isDir() ? WeightsGoal::Merge : WeightsGoal::Folder;
    return {{QStringLiteral("convert-weights-plan"),
             [&tab, &weights, example, goal] {
                 tab.wizard().closeModel();
                 weights.begin(goal, example);
             },
             [&weights] { return !weights.isPlanning(); }},
            {QStringLiteral("convert-weights-run"),
             [&weights, target = QDir(folder).filePath(QStringLiteral("weights-hf"))] {
                 weights.setTarget(target);
                 if (weights.plan()) weights.run(true);
             },
             [&tab, &weights] {
                 return !weights.isRunning() || tab.wizard().runs().doneBytes() * 4 > tab.wizard().runs().totalBytes();
             }},
            {QStringLiteral("convert-weights-result"), [] {}, [&weights] { return !weights.isRunning(); }},
            {QStringLiteral("convert-weights-end"), [&weights] { weights.close(); }}};
}

} // namespace

QList<View> convertViews(ui::ConvertTab& tab, const QString& example, const QString& folder) {
    Wizard& wizard = tab.wizard();
    const View choose{QStringLiteral("convert-choose"), [&wizard] { wizard.closeModel(); }};
    if (example.isEmpty()) return {choose};
    if (QFileInfo(example).isDir())
        return QList<View>{choose, vendorView(tab, example)} + inSequence(folderViews(tab, example, folder)) +
               inSequence(mergeViews(tab, example, folder)) + inSequence(weightsViews(tab, example, folder)) +
               castViews(tab, example) + inSequence(adapterViews(tab, example, folder));
    const auto isUnderWay = [&wizard] {
        const bool runs = wizard.runs().doneBytes() * 4 > wizard.runs().totalBytes() && wizard.runs().bytesPerSecond() > 0;
        return wizard.step() == Wizard::Step::Result || (wizard.step() == Wizard::Step::Run && runs);
    };
    return QList<View>{choose,
                       {QStringLiteral("convert-plan"),
                        [&tab, &wizard, example] {
                            wizard.openModel(example);
                            wizard.choices().setAllowRequantize(true);
                            chooseGoal(tab, "byMix");
                        }},
                       {QStringLiteral("convert-mixes"),
                        [&tab, &wizard, example] {
                            if (!wizard.plans().isOpen()) wizard.openModel(example);
                            choosePart(tab, 3);
                        },
                        [&wizard] { return wizard.mixes().table() != nullptr; }}} +
           inSequence(
               {{QStringLiteral("convert-queue"), [&wizard, example, folder] { queueExample(wizard, example, folder); },
                 [&wizard] { return wizard.runs().isRunning() && wizard.runs().doneBytes() * 3 > wizard.runs().totalBytes(); }},
                {QStringLiteral("convert-queue-cancelled"), [&wizard] { wizard.runs().cancel(); },
                 [&wizard] {
                     const auto runs = wizard.queue().runs();
                     return !wizard.queue().isBusy() && !runs.isEmpty() && (runs.first().percent || !wizard.queue().isHeld());
                 }},
                {QStringLiteral("convert-queue-strip"), [&wizard] { wizard.leaveRuns(); }}}) +
           QList<View>{{QStringLiteral("convert-goal"),
                        [&tab, &wizard, example] {
                            emptyQueue(wizard);
                            wizard.openModel(example);
                            wizard.choices().setAllowRequantize(true);
                            choosePart(tab, 1);
                            chooseGoal(tab, "byMemory");
                        }},
                       {QStringLiteral("convert-run"),
                        [&tab, &wizard, target = QDir(folder).filePath(QStringLiteral("small.gguf"))] {
                            chooseGoal(tab, "byMix"); // no types were chosen for the memory
                            runExample(wizard, target);
                        },
                        isUnderWay,
                        {},
                        false,
                        QStringLiteral("convert-plan")},
                       {QStringLiteral("convert-paused"),
                        [&wizard] { wizard.runs().setPaused(true); },
                        [] { return true; },
                        {},
                        false,
                        QStringLiteral("convert-run")},
                       {QStringLiteral("convert-result"),
                        [&wizard] { wizard.runs().setPaused(false); },
                        {},
                        {},
                        false,
                        QStringLiteral("convert-run")}} +
           inSequence(keptViews(tab, example, folder)) + inSequence(weightsViews(tab, example, folder)) + castViews(tab, example);
}

} // namespace wb::screenshots
