import type { CopyCount, PeerStorage } from '@heirloom/core'
import { Counter, Gauge, type Registry } from 'prom-client'

/** Adds the meters of the copies on other machines and of theirs here; returns what sets them. */
export function copyMeters(
  registry: Registry,
): (count: CopyCount | undefined, storage: PeerStorage | undefined) => void {
  const registers = [registry]
  const blocks = new Gauge({
    registers,
    name: 'heirloom_blocks',
    help: 'Blocks of memories and cards on the disk of this machine; absent without BLOB_COPIES',
  })
  const tooFew = new Gauge({
    registers,
    name: 'heirloom_blocks_with_too_few_copies',
    help: 'Those of them that fewer than BLOB_COPIES machines hold, as last counted; absent until then',
  })
  const setPeers = peerMeters(registry)
  const set = (count: CopyCount | undefined) => {
    if (count === undefined) {
      for (const gauge of [blocks, tooFew]) gauge.remove()
      return
    }
    blocks.set(count.blocks)
    tooFew.set(count.tooFew)
  }
  set(undefined)
  return (count, storage) => {
    set(count)
    setPeers(storage)
  }
}

/** Adds the meters of what peers have stored here; returns the function that sets them. */
function peerMeters(registry: Registry): (storage: PeerStorage | undefined) => void {
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
