// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/danger.h"

#include <QWidget>

#include <memory>

namespace wb::ui {
struct Services;
}

namespace wb::ui::inspect {

// Code that loading the model in its original program would run: one sentence, the names that are called or referred to,
// worst first, and other findings about the file. Nothing of it is ever run here.
class SafetyPanel : public QWidget {
    Q_OBJECT

public:
    // `path` is the opened file, to list its opcodes; empty: they cannot be.
    // The services must outlive it.
    SafetyPanel(const std::shared_ptr<const Danger>& danger, const QString& path, const Services& services,
                QWidget* parent = nullptr);

    // Writes the findings as SARIF (core/scan/sarif.h) to a file that replaces no file of an open model.
    static Result<void> saveSarif(const Danger& danger, const QString& path, const Services& services);

private:
    void askForSarif(const Danger& danger, const Services& services);
};

// "Tensors only", "Known libraries", "Unknown code", "Dangerous code", "Not checked" …: the badge, and the whole sentence about it.
QString verdictText(const Danger& danger);
QString verdictSentence(const Danger& danger);

} // namespace wb::ui::inspect
