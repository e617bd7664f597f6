// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/calibration.h"
#include "ui/shell/jobs/latest_job.h"

namespace wb::ui::convert {

// How long a run will take here: measures how fast each type of a plan is made, once for a device, a number of threads and whether
// there is an importance matrix. GUI thread only.
class SpeedEstimate : public QObject {
    Q_OBJECT

public:
    explicit SpeedEstimate(const Services& services); // which must outlive it

    void measure(const std::shared_ptr<const quantize::QuantizePlan>& plan); // unknown values
    void stop() { m_job.cancel(); }
    double planSeconds(const quantize::QuantizePlan& plan) const; // below 0: not known (yet)

signals:
    void changed();

private:
    struct Conditions { // what speeds depend on besides the type
        bool isWeighted = false;
        unsigned threads = 0;
        DeviceRef device;
        bool operator==(const Conditions&) const = default;
    };
    bool isKnown(const quantize::QuantizePlan& plan) const;

    const Services& m_services;
    LatestJob m_job;
    Conditions m_conditions; // of m_speeds
    quantize::Speeds m_speeds;
};

} // namespace wb::ui::convert
