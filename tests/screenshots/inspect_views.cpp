// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/inspect_actions.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/inspect/metadata/metadata_panel.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/spectrum/spectrum_panel.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/inspect/map/heat_map_panel.h"
#include "ui/inspect/whatif/what_if_panel.h"

#include <QAction>
#include <QTabWidget>

#include <algorithm>

namespace wb::screenshots {
namespace {

using ui::inspect::ModelPage;

// A quiet beginning for every picture: the flat, unfiltered table, and the first weight of the first layer chosen.
void reset(ModelPage& page) {
    page.tensors()->search(QString());
    page.tensors()->setShown(ui::inspect::TensorPanel::Shown::All);
    page.tensors()->setTree(false);
    page.metadata()->search(QString());
    page.showSide(ModelPage::Side::Totals);
    page.showDetail(ModelPage::Detail::Tensor);
    page.enlargeDetail(false);
    if (auto* tabs = page.findChild<QTabWidget*>(QStringLiteral("whatIfDetail"))) tabs->setCurrentIndex(0);
}

void chooseFirstLayer(ModelPage& page, const QString& part) {
    page.tensors()->search(QStringLiteral("part:%1 layer:0").arg(part));
    const auto shown = page.tensors()->shownTensors();
    page.tensors()->search(QString());
    if (!page.tensors()->shownTensors().empty()) page.tensors()->chooseTensor(shown.empty() ? 0 : shown.front());
}

void chooseFirstLogical(ModelPage& page) {
    page.tensors()->search(QStringLiteral("delta"));
    auto shown = page.tensors()->shownTensors();
    page.tensors()->search(QString());
    if (shown.empty()) shown = page.tensors()->shownTensors();
    if (!shown.empty()) page.tensors()->chooseTensor(shown.back()); // logical weights stand behind the stored tensors
}

void showMap(ModelPage& page) {
    page.tensors()->search(QStringLiteral("ffn_down layer:0"));
    const auto shown = page.tensors()->shownTensors();
    page.tensors()->search(QString());
    if (!shown.empty()) page.tensors()->chooseTensor(shown.front());
    page.enlargeDetail(true);
    page.heatMapPanel()->compareWith({});
    page.heatMapPanel()->picture()->fit();
    page.heatMapPanel()->picture()->unmark();
}

void showTable(ModelPage& page, const char* name) {
    auto* tables = page.findChild<QTabWidget*>(QStringLiteral("mapTables"));
    tables->setCurrentWidget(tables->findChild<QWidget*>(QLatin1String(name)));
}

// So near that each element has its value written in it.
void showElements(ModelPage& page) {
    page.heatMapPanel()->goTo(QStringLiteral("20, 24"));
    page.heatMapPanel()->picture()->zoom(100);
}

// The same weight of the next layer beside it.
void showDifference(ModelPage& page) {
    showMap(page);
    ui::inspect::ComparisonChoice* choice = page.heatMapPanel()->comparison();
    const int next = choice->findText(QStringLiteral("blk.1.ffn_down.weight"));
    if (next < 0) return;
    choice->setCurrentIndex(next);
    emit choice->activated(next);
}

void showSpectrum(ModelPage& page, bool ofAll) {
    chooseFirstLayer(page, QStringLiteral("ffn_down"));
    page.enlargeDetail(true);
    page.showDetail(ModelPage::Detail::Spectrum);
    if (auto* panel = page.findChild<ui::inspect::SpectrumPanel*>(); panel && ofAll) panel->computeAll();
}

View afterStatistics(View of) {
    of.after = QStringLiteral("inspect-statistics");
    return of;
}

} // namespace

QList<View> inspectViews(ui::InspectTab& tab) {
    const auto view = [&tab](const char* name, auto show) {
        return View{QStringLiteral("inspect-%1").arg(QLatin1String(name)), [&tab, show] {
                        ModelPage* page = tab.currentPage();
                        if (!page) return;
                        reset(*page);
                        show(*page);
                    }};
    };
    return {view("overview", [](ModelPage& page) { chooseFirstLayer(page, QStringLiteral("attn_q")); }),
            view("safety", [](ModelPage& page) { page.showSide(ModelPage::Side::Safety); }), // of models that run something
            view("tree", [](ModelPage& page) { page.tensors()->setTree(true); }),
            view("search", [](ModelPage& page) { page.tensors()->search(QStringLiteral("role:mlp layer:0-3 size:>100K")); }),
            view("search-error", [](ModelPage& page) { page.tensors()->search(QStringLiteral("dtyp:bf16")); }),
            view("statistics",
                 [](ModelPage& page) {
                     page.computeAll();
                     chooseFirstLayer(page, QStringLiteral("ffn_down"));
                 }),
            afterStatistics(view("trend", [](ModelPage& page) { page.showDetail(ModelPage::Detail::Trend); })),
            view("what-if",
                 [](ModelPage& page) {
                     chooseFirstLayer(page, QStringLiteral("ffn_down"));
                     page.showDetail(ModelPage::Detail::WhatIf);
                 }),
            view("what-if-levels",
                 [](ModelPage& page) {
                     chooseFirstLayer(page, QStringLiteral("ffn_down"));
                     page.enlargeDetail(true);
                     page.showDetail(ModelPage::Detail::WhatIf);
                     if (auto* tabs = page.findChild<QTabWidget*>(QStringLiteral("whatIfDetail"))) tabs->setCurrentIndex(1);
                     if (auto* panel = page.findChild<ui::inspect::WhatIfPanel*>()) panel->showTypicalBlock();
                 }),
            view("what-if-block",
                 [](ModelPage& page) {
                     chooseFirstLayer(page, QStringLiteral("ffn_down"));
                     page.enlargeDetail(true);
                     page.showDetail(ModelPage::Detail::WhatIf);
                     if (auto* panel = page.findChild<ui::inspect::WhatIfPanel*>()) panel->chooseBlock({20, 24});
                 }),
            view("map",
                 [](ModelPage& page) {
                     showMap(page);
                     showTable(page, "mapTop");
                 }),
            view("map-near",
                 [](ModelPage& page) {
                     showMap(page);
                     showTable(page, "mapBlock");
                     page.heatMapPanel()->goTo(QStringLiteral("20, 24"));
                 }),
            view("map-values",
                 [](ModelPage& page) {
                     showMap(page);
                     showElements(page);
                 }),
            view("map-difference", [](ModelPage& page) { showDifference(page); }),
            view("map-difference-values",
                 [](ModelPage& page) {
                     showDifference(page);
                     showElements(page);
                 }),
            view("distribution",
                 [](ModelPage& page) {
                     showMap(page);
                     page.showDetail(ModelPage::Detail::Distribution);
                 }),
            view("model-map",
                 [](ModelPage& page) {
                     page.computeAll();
                     page.enlargeDetail(true);
                     page.showDetail(ModelPage::Detail::Model);
                 }),
            view("spectrum", [](ModelPage& page) { showSpectrum(page, false); }),
            view("spectrum-all", [](ModelPage& page) { showSpectrum(page, true); }),
            view("storage", // of a logical weight where the model has one
                 [](ModelPage& page) {
                     page.tensors()->setShown(ui::inspect::TensorPanel::Shown::Logical);
                     chooseFirstLogical(page);
                     page.showDetail(ModelPage::Detail::Storage);
                 }),
            view("stored",
                 [](ModelPage& page) {
                     page.tensors()->setShown(ui::inspect::TensorPanel::Shown::Stored);
                     page.tensors()->chooseTensor(0);
                     page.showDetail(ModelPage::Detail::Storage);
                 }),
            view("metadata",
                 [](ModelPage& page) {
                     page.showSide(ModelPage::Side::Metadata);
                     page.metadata()->search(QStringLiteral("token"));
                 }),
            View{QStringLiteral("format-guide"),
                 [&tab] {
                     if (auto* actions = tab.findChild<ui::inspect::InspectActions*>()) actions->guide->trigger();
                 }},
            view("problems", [](ModelPage& page) { page.showSide(ModelPage::Side::Problems); })};
}

} // namespace wb::screenshots
