import { Counter, Gauge, type Registry } from 'prom-client'

/** The number of packs in each state. */
export type PackCount = { readonly stored: number; readonly condemned: number }

/** The result of a sweep of packs. */
export type PackSweepResult = { readonly removed: number; readonly unsure: readonly unknown[] }

/** Adds the meters of packs; returns what sets them. */
export function packMeters(registry: Registry) {
  const registers = [registry]
  const packs = new Gauge({
    registers,
    name: 'heirloom_packs',
    help: 'Packs, which versions of memories share: those that are noted as stored, and those that were condemned in the last 90 days',
    labelNames: ['state'],
  })
  const removed = new Counter({
    registers,
    name: 'heirloom_packs_removed_total',
    help: 'Packs that no version needed, and that were removed from the storage of this server',
  })
  const unsure = new Gauge({
    registers,
    name: 'heirloom_packs_unsure_wallets',
    help: 'Wallets of this server whose packs all stay, because one of their memories cannot be read',
  })
  const set = (count: PackCount | undefined) => {
    for (const [state, number] of Object.entries(count ?? {})) packs.set({ state }, number)
  }
  set({ stored: 0, condemned: 0 })
  return {
    set,
    collected: (result: PackSweepResult) => {
      removed.inc(result.removed)
      unsure.set(result.unsure.length)
    },
  }
}
