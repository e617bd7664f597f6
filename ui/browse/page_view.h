// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/variants.h"
#include "ui/browse/browse_session.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTabWidget;
class QToolButton;
class QTreeWidget;

namespace wb::ui::browse {

class CardView;

// The page of one model: facts, files grouped by quantization with the recommended one marked, the card.
class PageView : public QWidget {
    Q_OBJECT

public:
    explicit PageView(QWidget* parent = nullptr);

    void showHint(const QString& text); // instead of a page
    void showPage(const ShownPage& page);
    const ModelPage* page() const { return m_page ? &m_page->page : nullptr; }

    void setTwin(const Twin& twin);                                    // nothing where another page is shown by now
    void showFit(const FileFit& fit);                                  // nothing where another file is chosen by now
    void setMemories(const std::vector<wb::memory::Memory>& memories); // of this machine
    // Files that are in `folder` already; nothing where another page is shown by now.
    void setPresent(const wb::hub::Repository& of, const std::filesystem::path& folder, const std::set<std::string>& files);

    QTreeWidget* files() { return m_files; }
    QString fitText() const;
    QStringList chosenFiles() const; // paths of the chosen variants and of the projector next to a chosen GGUF

signals:
    void downloadWanted(const QStringList& files);
    void inspectWanted(const QString& id);                 // of one model, without downloading it; a path if it was downloaded
    void fitWanted(const std::vector<std::size_t>& files); // all files of one model were chosen: indices into the page's list
    void memoryWanted(const QString& id);                  // request to estimate it part by part
    void chatWanted(const QString& path);                  // with a file that is there

private:
    void fill();
    void fillFacts();
    void fillFiles();
    void chooseRecommended();
    void updateFits();
    bool isPresent(const wb::hub::Variant& variant) const;
    std::optional<wb::memory::Verdict> fitVerdict(const wb::hub::Variant& variant) const; // empty: not known
    std::uint64_t neededBytes(const wb::hub::Variant& variant) const;
    void copyCommand(const QString& command);
    void fillCopyMenu();
    void updateDownload();
    void askForFit();
    const wb::hub::Variant* chosenModel() const; // the one variant whose headers can be read; null: none or several
    QString firstPath(const wb::hub::Variant& variant) const;
    QString chosenId() const; // of what openRemote opens; empty: none
    void retranslate();

    std::optional<ShownPage> m_page;
    std::vector<wb::hub::Variant> m_variants;
    std::optional<wb::hub::Recommendation> m_recommendation;
    QString m_hintText;
    std::optional<FileFit> m_fit;
    std::vector<wb::memory::Memory> m_memories;
    std::optional<std::uint64_t> m_beyondWeights; // what a file of this page needs besides its bytes, from the first header read
    std::filesystem::path m_folder;
    std::set<std::string> m_present;
    QLabel *m_hint, *m_heading, *m_facts, *m_recommended, *m_fitLabel;
    QTabWidget* m_tabs;
    QTreeWidget* m_files;
    CardView* m_card;
    QPushButton* m_download;
    QPushButton* m_chat;
    QToolButton* m_copy;
    QToolButton* m_inspect;
    QToolButton* m_web;
    QToolButton* m_memory;
};

} // namespace wb::ui::browse
