// SPDX-License-Identifier: MIT
#include "ui/browse/page_view.h"

#include "core/base/text.h"
#include "ui/browse/card_view.h"
#include "ui/browse/results_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/translate.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>

namespace wb::ui::browse {

using namespace wb::hub;

namespace {

enum Column { Label, Size, FitsHere, Bits, Hash, ColumnCount };
constexpr int VariantRole = Qt::UserRole; // index into the variants

} // namespace

PageView::PageView(QWidget* parent)
    : QWidget(parent), m_hint(makeMutedLabel(this)), m_heading(makeElidedHeading(this)), m_facts(makeMutedLabel(this)),
      m_recommended(makeMutedLabel(this)), m_fitLabel(makeMutedLabel(this)), m_tabs(makeTabs(QStringLiteral("modelPage"), this)),
      m_files(new QTreeWidget(m_tabs)), m_card(new CardView(m_tabs)), m_download(new QPushButton(this)),
      m_chat(new QPushButton(this)), m_copy(new QToolButton(this)), m_inspect(new QToolButton(this)), m_web(new QToolButton(this)),
      m_memory(new QToolButton(this)) {
    m_facts->setTextFormat(Qt::PlainText);
    m_files->setObjectName(QStringLiteral("modelFiles"));
    m_files->setColumnCount(ColumnCount);
    m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_files->setUniformRowHeights(true);
    m_download->setObjectName(QStringLiteral("download"));
    m_download->setIcon(icon(QStringLiteral("drop")));
    m_chat->setObjectName(QStringLiteral("chatWithDownloaded"));
    m_chat->setIcon(icon(QStringLiteral("chat")));
    m_copy->setPopupMode(QToolButton::InstantPopup);
    m_copy->setMenu(new QMenu(m_copy));
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_web->setIcon(icon(QStringLiteral("browse")));
    m_inspect->setIcon(icon(QStringLiteral("inspect")));
    m_inspect->setObjectName(QStringLiteral("inspectRemote"));
    m_memory->setIcon(icon(QStringLiteral("memory")));
    m_memory->setObjectName(QStringLiteral("countMemory"));
    m_tabs->addTab(m_files, {});
    m_tabs->addTab(m_card, {});
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_download);
    buttons->addWidget(m_chat);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_inspect);
    buttons->addWidget(m_memory);
    buttons->addWidget(m_web);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 0, 0, 0);
    m_recommended->setObjectName(QStringLiteral("recommended"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_hint, m_heading, m_facts, m_recommended, m_fitLabel})
        layout->addWidget(widget);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(buttons);
    layout->addStretch(0);
    m_fitLabel->setObjectName(QStringLiteral("fit"));
    connect(m_files, &QTreeWidget::itemSelectionChanged, this, [this] {
        updateDownload();
        askForFit();
    });
    connect(m_download, &QPushButton::clicked, this, [this] { emit downloadWanted(chosenFiles()); });
    connect(m_chat, &QPushButton::clicked, this, [this] {
        if (const Variant* chosen = chosenModel()) emit chatWanted(qtPath(m_folder / fsPath(firstPath(*chosen))));
    });
    connect(m_inspect, &QToolButton::clicked, this, [this] {
        const Variant* chosen = chosenModel();
        if (chosen && isPresent(*chosen)) emit inspectWanted(qtPath(m_folder / fsPath(firstPath(*chosen))));
        else if (const QString id = chosenId(); !id.isEmpty()) emit inspectWanted(id);
    });
    connect(m_web, &QToolButton::clicked, this, [this] {
        if (m_page) QDesktopServices::openUrl(QUrl(text(m_page->page.info.pageUrl), QUrl::StrictMode));
    });
    connect(m_memory, &QToolButton::clicked, this, [this] {
        if (!chosenId().isEmpty()) emit memoryWanted(chosenId());
    });
    connect(m_copy->menu(), &QMenu::aboutToShow, this, &PageView::fillCopyMenu);
    keepTranslated(this, [this] { retranslate(); });
}

void PageView::showHint(const QString& hint) {
    m_page.reset();
    m_fit.reset();
    m_hintText = hint;
    fill();
}

void PageView::showPage(const ShownPage& page) {
    m_page = page;
    m_fit.reset();
    m_beyondWeights.reset();
    m_present.clear();
    m_variants = groupVariants(page.page.files.files);
    chooseRecommended();
    m_card->setCard(page.page.card);
    fill();
}

void PageView::chooseRecommended() {
    for (Variant& variant : m_variants) variant.isRecommended = false;
    m_recommendation =
        recommend(m_variants, m_memories.empty() ? std::nullopt : std::optional(memory::usableBytes(memory::roomiest(m_memories))));
}

void PageView::setMemories(const std::vector<memory::Memory>& memories) {
    const bool wereKnown = !m_memories.empty();
    m_memories = memories;
    if (!m_page) return;
    if (wereKnown) return updateFits(); // a choice made meanwhile stays
    chooseRecommended();
    fill();
}

void PageView::setPresent(const Repository& of, const std::filesystem::path& folder, const std::set<std::string>& files) {
    if (!m_page || m_page->page.info.repository != of) return;
    m_folder = folder;
    m_present = files;
    updateFits();
    updateDownload();
}

bool PageView::isPresent(const Variant& variant) const {
    return std::ranges::all_of(variant.files,
                               [this](std::size_t file) { return m_present.contains(m_page->page.files.files[file].path); });
}

std::uint64_t PageView::neededBytes(const Variant& variant) const {
    return m_beyondWeights ? variant.bytes + *m_beyondWeights : roughNeed(variant.bytes);
}

std::optional<memory::Verdict> PageView::fitVerdict(const Variant& variant) const {
    if (variant.kind != VariantKind::Gguf || m_memories.empty()) return std::nullopt;
    const std::uint64_t need = neededBytes(variant), error = need / 20;
    memory::Verdict best = memory::Verdict::No;
    for (const memory::Memory& memory : m_memories) best = std::min(best, memory::judge(need, error, memory));
    return best;
}

// Texts of rows that are there, so that what was chosen stays.
void PageView::updateFits() {
    for (int row = 0; row < m_files->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_files->topLevelItem(row);
        const Variant& variant = m_variants[static_cast<std::size_t>(item->data(0, VariantRole).toInt())];
        const auto verdict = fitVerdict(variant);
        QStringList words;
        if (isPresent(variant)) words << tr("downloaded");
        if (verdict) words << fitWord(*verdict);
        item->setText(FitsHere, words.join(QStringLiteral(", ")));
        if (verdict) item->setToolTip(FitsHere, tr("About %1 with cache and buffers").arg(bytesText(neededBytes(variant))));
    }
    m_files->resizeColumnToContents(FitsHere);
}

void PageView::setTwin(const Twin& twin) {
    if (!m_page || m_page->page.info.repository != twin.of) return;
    m_page->page.twin = twin;
    fillFacts();
}

void PageView::fill() {
    m_hint->setText(m_hintText);
    m_hint->setVisible(!m_page);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_heading, m_facts, m_recommended, m_tabs, m_download, m_copy, m_inspect, m_memory, m_web})
        widget->setVisible(m_page.has_value());
    m_fitLabel->setText(fitText());
    m_fitLabel->setVisible(m_fit.has_value());
    m_chat->hide();
    if (!m_page) return;
    m_heading->setText(text(m_page->page.info.repository.name));
    fillFacts();
    fillFiles();
    m_recommended->setText(m_recommendation ? translated(m_recommendation->reason) : QString());
    m_recommended->setToolTip(m_recommendation ? translated(m_recommendation->figure) : QString());
    m_recommended->setVisible(m_recommendation.has_value());
    updateDownload();
}

void PageView::fillFacts() {
    const ModelInfo& info = m_page->page.info;
    QStringList facts = {QLatin1String(fullName(info.repository.hub))};
    if (m_page->isOld) facts << tr("cached; the hub is not responding");
    if (const auto& twin = m_page->page.twin)
        facts << tr("%n identical file(s) on %1", nullptr, static_cast<int>(twin->files))
                     .arg(QLatin1String(fullName(twin->repository.hub)));
    if (info.parameters) facts << tr("%1 parameters").arg(shownShortCount(*info.parameters));
    if (!info.task.empty()) facts << text(info.task);
    facts << (info.licence.empty() ? tr("no license specified") : tr("license: %1").arg(text(info.licence)));
    if (info.gate != Gate::Open) facts << tr("gated: accept the terms on the model page");
    if (!info.baseModels.empty()) facts << tr("based on %1").arg(text(info.baseModels.front()));
    facts << tr("%1 downloads").arg(shownShortCount(info.downloads)) << tr("%1 likes").arg(shownShortCount(info.likes));
    if (!info.updated.empty()) facts << tr("updated %1").arg(dateText(info.updated));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void PageView::fillFiles() {
    m_files->clear();
    const std::uint64_t parameters = m_page->page.info.parameters.value_or(0);
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
        const Variant& variant = m_variants[i];
        const RemoteFile& first = m_page->page.files.files[variant.files.front()];
        const double bits = variant.kind == VariantKind::Gguf ? variant.bitsPerWeight(parameters) : 0;
        QString label = text(variant.label);
        if (variant.files.size() > 1) label = tr("%1 (%n file(s))", nullptr, static_cast<int>(variant.files.size())).arg(label);
        if (variant.kind == VariantKind::Helper) label = tr("%1 (companion file)").arg(label);
        if (variant.isRecommended) label = tr("%1 (recommended)").arg(label);
        const bool isOne = variant.files.size() == 1;
        auto* item = new QTreeWidgetItem(m_files, {label, fileSizeText(variant.bytes), QString(),
                                                   bits > 0 && bits < 64 ? QLocale().toString(bits, 'f', 2) : QString(),
                                                   isOne ? text(first.sha256) : QString()});
        item->setData(0, VariantRole, static_cast<int>(i));
        if (variant.isRecommended) item->setIcon(0, icon(QStringLiteral("check")));
        for (const int column : {Size, Bits}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, plainText(text(first.path)));
        for (const std::size_t file : variant.files) {
            if (isOne) break;
            const RemoteFile& part = m_page->page.files.files[file];
            auto* child =
                new QTreeWidgetItem(item, {text(part.path), fileSizeText(part.bytes), QString(), QString(), text(part.sha256)});
            child->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
            child->setFlags(child->flags() & ~Qt::ItemIsSelectable);
        }
        const bool isOnly = std::ranges::count(m_variants, VariantKind::Gguf, &Variant::kind) == 1;
        if (variant.isRecommended || (isOnly && variant.kind == VariantKind::Gguf)) m_files->setCurrentItem(item);
    }
    updateFits();
    for (const Column column : {Size, Bits}) {
        m_files->resizeColumnToContents(column);
        m_files->header()->resizeSection(column, m_files->columnWidth(column) + 8);
    }
    // The user reads whether a file fits without scrolling.
    const int rest = m_files->viewport()->width() - m_files->columnWidth(Size) - m_files->columnWidth(FitsHere);
    m_files->header()->resizeSection(Label, std::clamp(rest, 160, 240));
}

QStringList PageView::chosenFiles() const {
    QStringList files;
    if (!m_page) return files;
    bool hasGguf = false, hasHelper = false;
    const auto add = [&](const Variant& variant) {
        for (const std::size_t file : variant.files) files << text(m_page->page.files.files[file].path);
    };
    for (const QTreeWidgetItem* item : m_files->selectedItems()) {
        const Variant& variant = m_variants[static_cast<std::size_t>(item->data(0, VariantRole).toInt())];
        hasGguf = hasGguf || variant.kind == VariantKind::Gguf;
        hasHelper = hasHelper || variant.kind == VariantKind::Helper;
        add(variant);
    }
    if (!hasGguf || hasHelper) return files;
    for (const Variant& variant : m_variants) // a model that sees is of no use without one
        if (variant.kind == VariantKind::Helper && variant.label.find("mmproj") != std::string::npos) {
            add(variant);
            break;
        }
    return files;
}

void PageView::updateDownload() {
    std::uint64_t bytes = 0;
    const QStringList chosen = chosenFiles();
    if (m_page)
        for (const RemoteFile& file : m_page->page.files.files)
            if (chosen.contains(text(file.path))) bytes += file.bytes;
    m_download->setEnabled(!chosen.isEmpty());
    m_inspect->setEnabled(!chosenId().isEmpty());
    m_memory->setEnabled(!chosenId().isEmpty());
    const bool isThere = !chosen.isEmpty() && std::ranges::all_of(chosen, [this](const QString& file) {
        return m_present.contains(file.toStdString());
    });
    if (isThere) m_download->setEnabled(false);
    m_download->setText(isThere            ? tr("Downloaded")
                        : chosen.isEmpty() ? tr("Download")
                                           : tr("Download %1").arg(fileSizeText(bytes)));
    const Variant* model = chosenModel();
    m_chat->setVisible(m_page && model && model->kind == VariantKind::Gguf && isPresent(*model));
}

const Variant* PageView::chosenModel() const {
    const auto selected = m_files->selectedItems();
    if (!m_page || selected.size() != 1) return nullptr;
    const Variant& variant = m_variants[static_cast<std::size_t>(selected.first()->data(0, VariantRole).toInt())];
    const QString path = firstPath(variant);
    return path.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive) ||
                   path.endsWith(QLatin1String(".safetensors"), Qt::CaseInsensitive)
               ? &variant
               : nullptr;
}

QString PageView::firstPath(const Variant& variant) const { return text(m_page->page.files.files[variant.files.front()].path); }

// A repository that is one folder of safetensors is opened whole, with its config.
QString PageView::chosenId() const {
    const Variant* chosen = chosenModel();
    if (!chosen) return {};
    const bool isFolder = chosen->kind == VariantKind::Weights && std::ranges::none_of(m_variants, [chosen](const Variant& other) {
                              return &other != chosen && (other.kind == VariantKind::Gguf || other.kind == VariantKind::Weights);
                          });
    const QString id = text(m_page->page.pinned().text());
    return isFolder ? id : id + u':' + firstPath(*chosen);
}

void PageView::askForFit() {
    const Variant* chosen = chosenModel();
    if (chosen && chosen->kind == VariantKind::Helper) chosen = nullptr;
    if (chosen && m_fit && m_fit->path == firstPath(*chosen)) return;
    m_fit.reset();
    m_fitLabel->hide();
    if (chosen && !m_page->isOld) emit fitWanted(chosen->files);
}

void PageView::showFit(const FileFit& fit) {
    const Variant* chosen = chosenModel();
    if (!chosen || firstPath(*chosen) != fit.path) return;
    m_fit = fit;
    if (!fit.fits.empty() && fit.fits.front().need > chosen->bytes) m_beyondWeights = fit.fits.front().need - chosen->bytes;
    updateFits();
    m_fitLabel->setText(fitText());
    m_fitLabel->show();
}

QString PageView::fitText() const {
    QStringList lines;
    if (!m_fit) return {};
    for (const memory::Fit& fit : m_fit->fits)
        lines << fitSentence({fit.verdict, fit.memory.name, fit.need, fit.memory.available(), m_fit->context});
    return lines.join(u'\n');
}

void PageView::copyCommand(const QString& command) { QApplication::clipboard()->setText(command); }

// The same files by the programs that people have. Names are quoted, since a stranger gave them.
void PageView::fillCopyMenu() {
    QMenu* menu = m_copy->menu();
    menu->clear();
    if (!m_page) return;
    const Repository& repository = m_page->page.info.repository;
    QString files;
    for (const QString& file : chosenFiles()) files += u' ' + text(shellWord(file.toStdString()));
    const QString name = text(shellWord(repository.name));
    const auto offer = [&](const QString& command) {
        menu->addAction(QString(command).replace(u'&', QStringLiteral("&&")), this, [this, command] { copyCommand(command); });
    };
    offer(QStringLiteral("wb download ") + text(shellWord(std::string(shortName(repository.hub)) + ':' + repository.name)) + files);
    if (repository.hub == Hub::HuggingFace) {
        offer(QStringLiteral("hf download %1%2").arg(name, files));
        const auto selected = m_files->selectedItems();
        if (selected.size() == 1) {
            const Variant& variant = m_variants[static_cast<std::size_t>(selected.first()->data(0, VariantRole).toInt())];
            if (variant.kind == VariantKind::Gguf)
                offer(QStringLiteral("ollama run ") + text(shellWord("hf.co/" + repository.name + ':' + variant.label)));
        }
    } else {
        offer(QStringLiteral("modelscope download --model %1%2").arg(name, files));
    }
}

void PageView::retranslate() {
    m_files->setHeaderLabels({tr("File"), tr("Size"), tr("Fit"), tr("Bits per weight"), tr("SHA-256")});
    m_chat->setText(tr("Chat"));
    m_chat->setToolTip(tr("Chat with the downloaded file"));
    m_files->setAccessibleName(tr("Model files"));
    m_tabs->setTabText(0, tr("Files"));
    m_tabs->setTabText(1, tr("Model card"));
    m_card->setAccessibleName(tr("Model card"));
    m_copy->setText(tr("Copy as"));
    m_memory->setToolTip(tr("Show the memory breakdown of the selected file"));
    m_memory->setAccessibleName(tr("Estimate memory of the selected file"));
    m_web->setToolTip(tr("Open the model page in your browser to accept its terms"));
    m_web->setAccessibleName(tr("Open page in browser"));
    m_inspect->setToolTip(tr("Inspect the selected file without downloading it (reads only the header)"));
    m_inspect->setAccessibleName(tr("Open selected file in Inspect"));
    m_copy->setToolTip(tr("Copy the download command for the selected files"));
    fill();
}

} // namespace wb::ui::browse
