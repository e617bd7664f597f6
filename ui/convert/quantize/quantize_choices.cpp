// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/quantize_choices.h"

#include <utility>

namespace wb::ui::convert {

using namespace wb::quantize;

template <typename Change>
void QuantizeChoices::change(Change apply) {
    m_history.remember(m_now);
    apply(m_now);
    emit changed();
}

bool QuantizeChoices::isDefault() const {
    const QuantizeRequest& request = m_now.request;
    return request.mix.fileType == m_usual && !request.mix.pure && !request.mix.copy && !request.allowRequantize &&
           !request.keepSplit && request.split.isNone() && request.types.empty() && request.overrides.empty() &&
           request.prune.empty() && m_now.matrix.isNone() && m_now.folder == FolderChoices();
}

void QuantizeChoices::setMix(quant::FileType type) {
    change([type](State& now) {
        now.request.mix.fileType = type;
        now.request.mix.copy = false;
        now.request.copies = CopyMode::None;
        now.request.types.clear();
        now.budgetResult.reset();
        now.chosenSize.reset();
    });
}

void QuantizeChoices::setMatrix(const QString& path) {
    if (path == matrixPath()) return;
    change([&path](State& now) {
        now.matrix = {.path = path.toStdString()}; // a filter was for the file before
        now.budgetResult.reset();
        now.chosenSize.reset();
    });
}

void QuantizeChoices::setAllowRequantize(bool allow) {
    change([allow](State& now) { now.request.allowRequantize = allow; });
}

void QuantizeChoices::setKeepSplit(bool keep) {
    change([keep](State& now) { now.request.keepSplit = keep; });
}

void QuantizeChoices::setSplit(const FileSplit& split) {
    if (split == m_now.request.split) return;
    change([&split](State& now) {
        now.request.split = split;
        now.request.keepSplit = now.request.keepSplit && split.isNone();
    });
}

void QuantizeChoices::setCopies(CopyMode copies) {
    if (copies == m_now.request.copies) return;
    change([copies](State& now) {
        now.request.copies = copies;
        now.request.mix.copy = copies != CopyMode::None;
        if (copies == CopyMode::None) now.request.mix.fileType = quant::MixOptions().fileType; // a copy has no type
        now.request.types.clear();
        now.budgetResult.reset();
        now.chosenSize.reset();
    });
}

void QuantizeChoices::setPure(bool pure) {
    change([pure](State& now) {
        quant::MixOptions& mix = now.request.mix;
        now.request.copies = CopyMode::None;
        if (std::exchange(mix.copy, false)) mix.fileType = quant::MixOptions().fileType; // a copy has no type
        mix.pure = pure;
        now.request.types.clear();
        now.budgetResult.reset();
        now.chosenSize.reset();
    });
}

void QuantizeChoices::setTypes(const std::vector<std::string>& tensors, std::optional<Dtype> type) {
    if (tensors.empty()) return;
    change([&](State& now) {
        for (const std::string& tensor : tensors) {
            if (type) now.request.types[tensor] = *type;
            else now.request.types.erase(tensor);
        }
        now.budgetResult.reset();
    });
}

void QuantizeChoices::setByBudget(QuantizeRequest request, ChosenSize size, BudgetResult result) {
    request.matrix.reset();
    change([&](State& now) {
        now.request = std::move(request);
        now.budgetResult = std::move(result);
        now.chosenSize = size;
    });
}

void QuantizeChoices::setFromPlan(const PlanFile& plan) {
    change([&plan](State& now) { now = {plan.request, plan.matrix, {}, {}, plan.folder}; });
}

void QuantizeChoices::setModelName(const QString& name) {
    if (name.toStdString() == m_now.folder.modelName) return;
    change([&name](State& now) { now.folder.modelName = name.toStdString(); });
}

void QuantizeChoices::setPreTokenizer(const QString& name) {
    if (name.toStdString() == m_now.folder.preTokenizer) return;
    change([&name](State& now) { now.folder.preTokenizer = name.toStdString(); });
}

void QuantizeChoices::setChatTemplate(const QString& text) {
    if (text.toStdString() == m_now.folder.chatTemplate) return;
    change([&text](State& now) { now.folder.chatTemplate = text.toStdString(); });
}

void QuantizeChoices::setAdapters(std::vector<wb::convert::AdapterFile> adapters) {
    if (adapters == m_now.folder.adapters) return;
    change([&adapters](State& now) { now.folder.adapters = std::move(adapters); });
}

void QuantizeChoices::setBase(const QString& folder) {
    if (folder.toStdString() == m_now.folder.base) return;
    change([&folder](State& now) { now.folder.base = folder.toStdString(); });
}

void QuantizeChoices::setOverride(const std::string& key, std::optional<KeyOverride> override) {
    change([&key, &override](State& now) {
        std::erase_if(now.request.overrides, [&key](const KeyOverride& known) { return known.key == key; });
        if (override) now.request.overrides.push_back(std::move(*override));
    });
}

void QuantizeChoices::undo() {
    if (!canUndo()) return;
    m_now = m_history.undo(std::move(m_now));
    emit changed();
}

void QuantizeChoices::redo() {
    if (!canRedo()) return;
    m_now = m_history.redo(std::move(m_now));
    emit changed();
}

void QuantizeChoices::clear() {
    m_now = {};
    m_usual = quant::MixOptions().fileType;
    m_history.clear();
}

void QuantizeChoices::beginWith(quant::FileType type) {
    m_usual = type;
    m_now.request.mix.fileType = type;
}

void QuantizeChoices::restore(const PlanFile& plan) { m_now = {plan.request, plan.matrix, {}, {}, plan.folder}; }

void QuantizeChoices::setOwnTypes(std::map<std::string, Dtype> types) { m_now.request.types = std::move(types); }

} // namespace wb::ui::convert
