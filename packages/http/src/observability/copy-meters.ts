import type { CopyCount, PeerStorage } from '@heirloom/core'
import { Gauge, type Registry } from 'prom-client'
import { peerMeters } from './peer-meters.ts'

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
