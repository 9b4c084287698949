import { Gauge, type Registry } from 'prom-client'

/** Registers the gauges of memories that nobody can open, and returns the function that sets them. */
export function memoryMeters(registry: Registry) {
  const withoutKey = new Gauge({
    registers: [registry],
    name: 'heirloom_memories_without_key',
    help: 'Memories that are stored here and sealed under keys that are not, as far as they are counted',
  })
  const lostMemories = new Gauge({
    registers: [registry],
    name: 'heirloom_memories_lost',
    help: 'Memories of the agent wallet whose blobs are missing or damaged, where only this server has them; on a chain elsewhere those that its folder minted, or all while a bucket has none',
    labelNames: ['state'],
  })
  return (keyless: number, lost: memoryMeters.Lost = { missing: 0, damaged: 0 }): void => {
    withoutKey.set(keyless)
    for (const [state, count] of Object.entries(lost)) lostMemories.set({ state }, count)
  }
}

export declare namespace memoryMeters {
  /** The memories of the agent wallet whose blobs are missing here, and those whose blobs are damaged. */
  type Lost = { readonly missing: number; readonly damaged: number }
}
