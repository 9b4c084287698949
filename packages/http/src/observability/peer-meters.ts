import type { PeerStorage } from '@heirloom/core'
import { Counter, Gauge, type Registry } from 'prom-client'

/** Adds the meters of what peers have stored here; returns the function that sets them. */
export function peerMeters(registry: Registry): (storage: PeerStorage | undefined) => void {
  const [registers, labelNames] = [[registry], ['peer']]
  const bytes = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_peer_bytes',
    help: 'Bytes of blocks that a peer has stored here and not taken back, by its peer id',
  })
  const limit = new Gauge({
    registers,
    name: 'heirloom_peer_bytes_limit',
    help: 'The bytes that each peer may store here; absent without BLOB_COPIES',
  })
  const refused = new Counter({
    registers,
    labelNames,
    name: 'heirloom_peer_copies_refused_total',
    help: 'Blocks of a peer that were refused, because it has stored too much or the disk is too full',
  })
  const set = (storage: PeerStorage | undefined) => {
    for (const meter of [bytes, refused]) meter.reset()
    limit.remove()
    if (storage === undefined) return
    limit.set(storage.limit)
    for (const { peer, ...counts } of storage.peers) {
      bytes.set({ peer }, counts.bytes)
      refused.inc({ peer }, counts.refused)
    }
  }
  set(undefined)
  return set
}
