import type { SealCount } from '@heirloom/adapters/internal/seal-notes'
import { Gauge, type Registry } from 'prom-client'

type Counts = { readonly [state in 'unminted' | 'minted']: SealCount }

export declare namespace sealMeters {
  /** Counts the seals in each state. */
  type Count = () => Promise<Counts>
}

/**
 * Adds the meters of the memories that were sealed for wallets that mint themselves; returns the
 * function that sets them.
 */
export function sealMeters(registry: Registry): (counts: Counts | undefined) => void {
  const labelNames = ['state'] as const
  const registers = [registry]
  const seals = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_seals',
    help: 'Memories that were sealed for wallets that mint themselves: `unminted` ones, and those with a token (`minted`)',
  })
  const bytes = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_seal_bytes',
    help: 'Bytes of the memories that were sealed for wallets that mint themselves',
  })
  const set = (counts: Counts | undefined) => {
    if (counts === undefined) return
    for (const state of ['unminted', 'minted'] as const) {
      seals.set({ state }, counts[state].seals)
      bytes.set({ state }, counts[state].bytes)
    }
  }
  set({ unminted: { seals: 0, bytes: 0 }, minted: { seals: 0, bytes: 0 } })
  return set
}
