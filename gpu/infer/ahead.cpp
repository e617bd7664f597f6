// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"
#include "gpu/infer/next_token.h"
#include "gpu/shaders/infer/batch.h"

// The token after the one that is evaluated, which the device draws itself.
namespace wb::gpu {
namespace {

// Tokens that are not evaluated ahead after one that was another: where the caller often draws differently, it is not made to wait.
constexpr std::uint32_t restAfterMiss = 16;

} // namespace

// The host has no other part in what a token is made of than its position, and the device has the embeddings.
bool DeviceRunner::canBeAhead() const {
    const infer::EmbedOp& embed = m_graph.embed;
    return !m_before && !recurs() && !m_ngrams && !m_tableUpload && !embed.positions && m_graph.streams == 0 &&
           m_blocksUpload.empty() && m_graph.head && m_graph.head->output.weight == embed.table;
}

Result<void> DeviceRunner::allocateAhead() {
    if (m_drawn) return {};
    for (HostBuffers& host : std::span(m_hostBuffers).subspan(1)) {
        WB_TRY_ASSIGN(host, makeHostBuffers());
        WB_TRY_ASSIGN(host.rankedBack, m_device->buffer(m_candidates->bytes() + tokenBytes, Memory::Readback));
    }
    WB_TRY_ASSIGN(m_drawn, m_device->buffer(tokenBytes, Memory::Device));
    return {};
}

Result<void> DeviceRunner::recordDrawn(Recorder& recorder) {
    WB_TRY(draw(*m_device, recorder, m_buffers.batch, m_candidates->view(), m_drawn->view()));
    const DeviceMatrix& table = m_buffers.weights.matrix(m_graph.head->output);
    return embed(*m_device, recorder, table, m_drawn->view(), m_graph.embed.scale, m_buffers.x);
}

Result<void> DeviceRunner::beginAhead(const infer::Batch& batch) {
    const std::size_t position = batch.position + batch.tokens.size();
    if (!batch.next || batch.next->count > batch.ranked.size() || position >= context() || !canBeAhead()) return {};
    if (m_aheadRest > 0) {
        --m_aheadRest;
        return {};
    }
    WB_TRY(allocateAhead());
    const std::uint32_t place = m_ahead && m_ahead->place == 1 ? 2 : 1;
    HostBuffers& host = m_hostBuffers[place];
    if (host.ticket) WB_TRY(host.ticket->wait()); // they are written now
    const auto words = host.batch->map<std::uint32_t>();
    words[WB_BATCH_POSITION] = static_cast<std::uint32_t>(position);
    words[WB_BATCH_TOKENS] = words[WB_BATCH_OUTPUTS] = 1;
    writeDraw(*batch.next, words);
    writeAngles(host, position, 1);
    WB_TRY_ASSIGN(const Pieces* const pieces, passPieces({true, 1, static_cast<std::uint32_t>(batch.ranked.size()), false, place}));
    WB_TRY_ASSIGN(host.ticket, m_device->submit(pieces->front()));
    m_ahead = Ahead{position, batch.ranked.size(), place};
    return {};
}

// The next token is begun before this one is waited for, so the device has always one to do.
Result<bool> DeviceRunner::takeAhead(const infer::Batch& batch) {
    const std::optional<Ahead> taken = m_ahead;
    const bool isAsked = taken && batch.tokens.size() == 1 && batch.position == taken->position &&
                         batch.ranked.size() == taken->ranked && batch.hidden.empty();
    if (isAsked) WB_TRY(beginAhead(batch));
    if (!isAsked || m_ahead->place == taken->place) m_ahead.reset();
    if (!isAsked) return false;
    const HostBuffers& host = m_hostBuffers[taken->place];
    WB_TRY(host.ticket->wait());
    const std::uint32_t drawn = host.rankedBack->map<std::uint32_t>()[m_candidates->bytes() / tokenBytes];
    if (static_cast<infer::Token>(drawn) != batch.tokens.front()) {
        m_ahead.reset();
        m_aheadRest = restAfterMiss;
        return false;
    }
    readRanked(host.rankedBack, batch.ranked);
    ++m_evaluatedAhead;
    return true;
}

} // namespace wb::gpu
