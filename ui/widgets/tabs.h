// SPDX-License-Identifier: MIT
#pragma once

#include <QTabWidget>

#include <functional>

namespace wb::ui {

// Tabs without a frame, as they stand inside cards and above pages.
QTabWidget* makeTabs(const QString& name, QWidget* parent);

// A placeholder for a widget that is created when it is first shown: a page has many tables, and making all of them before the
// first picture would cost more than reading the model.
class LazyWidget : public QWidget {
    Q_OBJECT

public:
    // `make` gets this widget as the parent.
    LazyWidget(std::function<QWidget*(QWidget* parent)> make, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    std::function<QWidget*(QWidget* parent)> m_make; // empty once it was called
};

} // namespace wb::ui
