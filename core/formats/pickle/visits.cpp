// SPDX-License-Identifier: MIT
#include "core/formats/pickle/visits.h"

#include <algorithm>

namespace wb::pickle {

bool Visits::step() {
    ++m_steps;
    if (m_repeating > 0) ++m_repeatedSteps;
    return !isExhausted();
}

const std::string* Visits::reference(NodeId container) {
    const auto onPath = std::ranges::find(m_path, container, &Place::node);
    for (auto place = onPath; place != m_path.end(); ++place) place->isInCycle = true;
    if (onPath != m_path.end()) return &onPath->name;
    const auto known = m_finishedInCycle.find(container);
    return known == m_finishedInCycle.end() ? nullptr : &known->second;
}

bool Visits::enter(NodeId container, const std::string& name) {
    const bool isRepeated = m_isFinished[container];
    if (m_path.size() >= maxPath || (isRepeated && m_repeatedSteps > maxRepeatedSteps)) return false;
    if (isRepeated) ++m_repeating;
    m_path.push_back({container, name, isRepeated});
    return true;
}

void Visits::leave() {
    Place& place = m_path.back();
    if (place.isRepeated) --m_repeating;
    if (place.isInCycle) m_finishedInCycle.emplace(place.node, std::move(place.name));
    m_isFinished[place.node] = true;
    m_path.pop_back();
}

} // namespace wb::pickle
