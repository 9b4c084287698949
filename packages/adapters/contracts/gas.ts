import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureHeirloom } from './gas/heirloom.ts'
import { measureOrdinary } from './gas/ordinary.ts'

/** The committed measurements. */
export const gasSnapshotFile = join(import.meta.dirname, 'gas.snapshot.json')

/** Measures Heirloom's pair and the contract of an ordinary project, both on a fresh chain. */
export async function measureGas() {
  return { heirloom: await measureHeirloom(), ordinary: await measureOrdinary() }
}

if (import.meta.main) {
  writeFileSync(gasSnapshotFile, `${JSON.stringify(await measureGas(), undefined, 2)}\n`)
}
