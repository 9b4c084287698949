import type { SealCount } from '@heirloom/adapters/internal/seal-notes'
import type { CopyCount, PeerStorage } from '@heirloom/core'
import type { Meters } from './meters.ts'

/** The number of packs in each state. */
export type PackCount = { readonly stored: number; readonly condemned: number }

/** The result of a sweep of packs. */
export type PackSweepResult = { readonly removed: number; readonly unsure: readonly unknown[] }

/** The memories that were sealed for wallets that mint themselves, in each state. */
export type SealCounts = { readonly [state in 'unminted' | 'minted']: SealCount }

/** The memories of the agent wallet whose blobs are missing here, and those whose blobs are damaged. */
export type LostMemories = { readonly missing: number; readonly damaged: number }

/** Returns what sets the meters of what is stored here. A count that is not known changes nothing. */
export function storageMeters(meters: Meters) {
  const setSeals = (counts: SealCounts | undefined) => {
    if (counts === undefined) return
    for (const state of ['unminted', 'minted'] as const) {
      meters.heirloom_seals.set({ state }, counts[state].seals)
      meters.heirloom_seal_bytes.set({ state }, counts[state].bytes)
    }
  }
  const setPacks = (count: PackCount | undefined) => {
    for (const [state, number] of Object.entries(count ?? {}))
      meters.heirloom_packs.set({ state }, number)
  }
  const none = { seals: 0, bytes: 0 }
  setSeals({ unminted: none, minted: none })
  setPacks({ stored: 0, condemned: 0 })
  return {
    setSeals,
    setPacks,
    collected: ({ removed, unsure }: PackSweepResult) => {
      meters.heirloom_packs_removed_total.inc(removed)
      meters.heirloom_packs_unsure_wallets.set(unsure.length)
    },
    setMemories: (keyless: number, lost: LostMemories = { missing: 0, damaged: 0 }) => {
      meters.heirloom_memories_without_key.set(keyless)
      for (const [state, count] of Object.entries(lost))
        meters.heirloom_memories_lost.set({ state }, count)
    },
    setCopies: (count: CopyCount | undefined, ofPeers: PeerStorage | undefined) => {
      setOwnCopies(meters, count)
      setPeerCopies(meters, ofPeers)
    },
  }
}

/** Sets the meters of the copies on other machines; removes them without a count. */
function setOwnCopies(meters: Meters, count: CopyCount | undefined): void {
  meters.heirloom_blocks.remove()
  meters.heirloom_blocks_with_too_few_copies.remove()
  if (count === undefined) return
  meters.heirloom_blocks.set(count.blocks)
  meters.heirloom_blocks_with_too_few_copies.set(count.tooFew)
}

/** Sets the meters of what peers have stored here; removes them where none may. */
function setPeerCopies(meters: Meters, storage: PeerStorage | undefined): void {
  const { heirloom_peer_bytes: bytes, heirloom_peer_copies_refused_total: refused } = meters
  for (const meter of [bytes, refused]) meter.reset()
  meters.heirloom_peer_bytes_limit.remove()
  if (storage === undefined) return
  meters.heirloom_peer_bytes_limit.set(storage.limit)
  for (const { peer, ...counts } of storage.peers) {
    bytes.set({ peer }, counts.bytes)
    refused.inc({ peer }, counts.refused)
  }
}
