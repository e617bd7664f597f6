// SPDX-License-Identifier: MIT
#include "ui/inspect/map/comparison_choice.h"

#include "core/formats/open.h"
#include "core/io/byte_source.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/shape_text.h"

#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>

#include <algorithm>
#include <filesystem>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t maxOffered = 2000;
constexpr int fileItem = -2; // data of the item that opens a file dialog
constexpr int noneItem = -1;

Result<ModelPtr> openModel(const QString& path, unsigned threads, const Progress& progress) {
    formats::OpenOptions options;
    options.threads = threads;
    options.progress = progress;
    return formats::open(fsPath(path), options);
}

} // namespace

ComparisonChoice::ComparisonChoice(const Services& services, QWidget* parent)
    : QComboBox(parent), m_services(services), m_opening(services.jobs) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    // A model has hundreds of tensors of equal shape: a part of the name finds one.
    setEditable(true);
    setInsertPolicy(NoInsert);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &ComparisonChoice::showChosen);
    connect(this, &QComboBox::activated, this, &ComparisonChoice::activate);
}

void ComparisonChoice::setSubject(const ModelPtr& model, std::optional<std::uint32_t> tensor) {
    const ModelPtr other = m_chosen && m_chosen->model != m_model ? m_chosen->model : nullptr;
    m_opening.cancel();
    m_model = model;
    m_tensor = tensor;
    m_chosen = other ? namesake(other) : std::nullopt;
    if (m_chosen && !fits(*m_chosen)) m_chosen.reset();
    fill();
}

void ComparisonChoice::refresh() { fill(); }

void ComparisonChoice::choose(const std::optional<stats::OtherTensor>& other) {
    m_chosen = other;
    fill();
}

bool ComparisonChoice::fits(const stats::OtherTensor& other) const {
    return m_tensor && other.info().shape == m_model->tensors[*m_tensor].shape &&
           !(other.model == m_model && other.tensor == *m_tensor);
}

std::optional<stats::OtherTensor> ComparisonChoice::namesake(const ModelPtr& model) const {
    if (!m_tensor) return {};
    const auto found = std::ranges::find(model->tensors, m_model->tensors[*m_tensor].name, &TensorInfo::name);
    if (found == model->tensors.end()) return {};
    return stats::OtherTensor{model, static_cast<std::uint32_t>(found - model->tensors.begin())};
}

void ComparisonChoice::add(const stats::OtherTensor& other, const QString& title) {
    if (!fits(other) || m_offered.size() >= maxOffered || std::ranges::find(m_offered, other) != m_offered.end()) return;
    const QString name = text(other.info().name);
    addItem(title.isEmpty() ? name : tr("%1 in %2").arg(name, title), static_cast<int>(m_offered.size()));
    m_offered.push_back(other);
}

void ComparisonChoice::fill() {
    clear();
    m_offered.clear();
    addItem(tr("Compare with…"), noneItem);
    setEnabled(m_tensor.has_value());
    if (!m_tensor) return;
    const QList<OtherModel> others = (m_openModels ? m_openModels() : QList<OtherModel>()) + m_files;
    for (const OtherModel& other : others)
        if (const auto same = namesake(other.model)) add(*same, other.title);
    if (m_chosen && m_chosen->model != m_model) // perhaps of a model that was closed since
        add(*m_chosen, QFileInfo(text(io::pathText(m_chosen->model->path))).fileName());
    for (const OtherModel& other : QList<OtherModel>{{m_model, {}}} + others)
        for (std::uint32_t i = 0; i < other.model->tensors.size(); ++i) add({other.model, i}, other.title);
    addItem(tr("From file…"), fileItem);
    const auto chosen = m_chosen ? std::ranges::find(m_offered, *m_chosen) : m_offered.end();
    setCurrentIndex(chosen == m_offered.end() ? 0 : findData(static_cast<int>(chosen - m_offered.begin())));
    showChosen();
}

// Whatever was typed; from its beginning, and whole in the tool tip.
void ComparisonChoice::showChosen() {
    setEditText(itemText(currentIndex()));
    lineEdit()->setCursorPosition(0);
    setToolTip(plainText(itemText(currentIndex())));
}

void ComparisonChoice::activate(int index) {
    const int item = itemData(index).toInt();
    if (item != fileItem)
        return setChosen(item == noneItem ? std::nullopt : std::optional(m_offered[static_cast<std::size_t>(item)]));
    fill(); // shows again what is chosen
    const QString path = askFrom(this, [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Compare with the same tensor in another model"));
    });
    if (!path.isEmpty()) compareWithFile(path);
}

void ComparisonChoice::setChosen(const std::optional<stats::OtherTensor>& other) {
    m_opening.cancel();
    if (other == m_chosen) return;
    choose(other);
    emit otherChosen();
}

void ComparisonChoice::compareWithFile(const QString& path) {
    m_opening.start<ModelPtr>(
        tr("Opening %1").arg(path),
        [path, threads = m_services.settings->threads()](const Progress& progress) { return openModel(path, threads, progress); },
        [this, title = QFileInfo(path).fileName()](const ModelPtr& model) { addFile({model, title}); },
        [this](const Error& error) { emit failed(translated(error)); });
}

void ComparisonChoice::addFile(const OtherModel& file) {
    m_files.removeIf([&](const OtherModel& before) { return before.model->path == file.model->path; });
    m_files.append(file);
    fill();
    const auto same = namesake(file.model);
    const TensorInfo& own = m_model->tensors[*m_tensor];
    if (!same)
        return emit failed(
            tr("%1 has no tensor named %2; the list now shows its tensors with the same shape.").arg(file.title, text(own.name)));
    if (!fits(*same))
        return emit failed(tr("Only tensors with the same shape can be compared: %1 is %2 here and %3 in %4.")
                               .arg(text(own.name), shownShape(own.shape), shownShape(same->info().shape), file.title));
    setChosen(same);
}

} // namespace wb::ui::inspect
