// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace wb::ui {

// One picture for the README and for looking at every screen. `name` is part of a file name: "inspect-tensors". `show` brings the
// view up; the picture is taken once all jobs have finished, or with `isReady`, once that is true.
struct ScreenshotView {
    QString name;
    std::function<void()> show;
    std::function<bool()> isReady = {};
};

// A Tab may implement this too; it is then asked after a model has been opened in it.
class ScreenshotSource {
public:
    virtual ~ScreenshotSource() = default;
    virtual QList<ScreenshotView> screenshotViews() = 0;
};

} // namespace wb::ui
