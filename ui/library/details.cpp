// SPDX-License-Identifier: MIT
#include "ui/library/details.h"

#include "ui/library/library_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/translate.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QLocale>
#include <QTreeWidget>

#include <algorithm>

namespace wb::ui::library {

using namespace wb::library;

Details::Details(QWidget* parent)
    : QWidget(parent), m_heading(makeElidedHeading(this)), m_empty(makeMutedLabel(this)), m_lines(new QWidget(this)),
      m_form(new QFormLayout(m_lines)), m_files(new QTreeWidget(this)) {
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(14);
    m_form->setLabelAlignment(Qt::AlignLeft);
    m_files->setObjectName(QStringLiteral("libraryFiles"));
    m_files->setRootIsDecorated(false);
    m_files->setColumnCount(3);
    m_files->setUniformRowHeights(true);
    m_files->setTextElideMode(Qt::ElideMiddle); // the end of a path is the file's name
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 0, 0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_heading, m_empty, m_lines}) layout->addWidget(widget);
    layout->addWidget(m_files, 1);
    layout->addStretch(0);
    keepTranslated(this, [this] { retranslate(); });
}

void Details::show(ListingPtr listing, const Entry* entry) {
    if (listing != m_listing) m_verified.clear();
    m_listing = std::move(listing);
    m_entry = entry;
    refresh();
}

void Details::setVerified(const Verified& files) {
    m_verified = files;
    refresh();
}

void Details::addLine(const QString& name, const QString& value) {
    auto* label = new ElidedLabel(m_lines);
    label->setText(value);
    label->setToolTip(plainText(value));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* title = new QLabel(name, m_lines);
    title->setProperty("muted", true);
    m_form->addRow(title, label);
}

void Details::fillLines(const Entry& entry) {
    const FileFacts& facts = entry.facts;
    const QString format = QString::fromLatin1(formatTitle(facts.format));
    addLine(tr("Format"), facts.isDamaged ? tr("%1 (corrupted or incomplete)").arg(format) : format);
    if (!facts.architecture.empty()) addLine(tr("Architecture"), text(facts.architecture));
    if (facts.parameters > 0) addLine(tr("Parameters"), shownCount(facts.parameters));
    if (!facts.quant.empty())
        addLine(tr("Type"),
                entry.bitsPerWeight() > 0
                    ? tr("%1, %2 bits per weight").arg(text(facts.quant), QLocale().toString(entry.bitsPerWeight(), 'f', 2))
                    : text(facts.quant));
    if (facts.context > 0) addLine(tr("Context"), tr("%1 tokens").arg(shownCount(facts.context)));
    addLine(tr("Size"), fileSizeText(entry.bytes()));
    addLine(tr("Location"), storeText(m_listing->stores[entry.store].store));
    addLine(tr("Path"), shortPath(qtPath(entry.path)));
    if (entry.origin) addLine(tr("Source"), text(entry.origin->hub + ':' + entry.origin->id));
    if (entry.origin && !entry.origin->commit.empty()) addLine(tr("Revision"), text(entry.origin->commit));
    if (!facts.licence.empty()) addLine(tr("License"), text(facts.licence));
    for (const std::string& id : entry.duplicates) addLine(tr("Duplicate"), text(id));
}

QString Details::fileResult(const StoredFile& file) const {
    const auto found = std::ranges::find(m_verified, file.path, &VerifiedFile::path);
    if (found == m_verified.end()) return file.sha256.empty() ? QString() : text(file.sha256);
    if (found->failure) return translated(*found->failure);
    if (!found->isGood) return tr("%1 (no recorded hash)").arg(text(found->computed));
    return *found->isGood ? tr("OK: %1").arg(text(found->computed)) : tr("Mismatch: expected %1").arg(text(found->expected));
}

void Details::fillFiles(const Entry& entry) {
    m_files->clear();
    for (const StoredFile& file : entry.files) {
        auto* item = new QTreeWidgetItem(m_files, {text(file.name), fileSizeText(file.bytes()), fileResult(file)});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {0, 2}) item->setToolTip(column, plainText(item->text(column)));
    }
    for (const int column : {1, 2}) m_files->resizeColumnToContents(column);
}

void Details::refresh() {
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    m_empty->setVisible(!m_entry);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_heading, m_lines, m_files}) widget->setVisible(m_entry);
    if (!m_entry) return;
    m_heading->setText(text(m_entry->name));
    fillLines(*m_entry);
    fillFiles(*m_entry);
}

void Details::retranslate() {
    m_empty->setText(tr("Select a model to see its location, files and hashes."));
    m_files->setHeaderLabels({tr("File"), tr("Size"), tr("SHA-256")});
    m_files->setAccessibleName(tr("Model files"));
    m_files->header()->resizeSection(0, 180);
    refresh();
}

} // namespace wb::ui::library
