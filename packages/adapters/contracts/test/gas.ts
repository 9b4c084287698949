import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runtimes } from '../../src/ledger/contracts.generated.ts'
import { measureDeepest } from './gas/deepest.ts'
import { writeGasDocument } from './gas/document.ts'
import { measureHeirloom } from './gas/heirloom.ts'
import type { Measurements } from './gas/meter.ts'
import { measureWallets } from './gas/wallets.ts'
import { measureOrdinary, measurePlain } from './gas/yardsticks.ts'

/** The committed measurements. */
export const gasSnapshotFile = join(import.meta.dirname, 'gas.snapshot.json')

/** The document of the measurements. */
export const gasDocumentFile = join(import.meta.dirname, '../../../../docs/gas.md')

/** Measures Heirloom's contracts and the yardsticks, each on a new chain. */
export async function measureGas(): Promise<Measurements> {
  const { gas, floor } = await measureHeirloom()
  return {
    heirloom: gas,
    wallets: await measureWallets(),
    deepest: await measureDeepest(),
    floor,
    ordinary: await measureOrdinary(),
    plain: await measurePlain(),
    bytes: {
      MemoryRegistry: runtimes.registry.length,
      MemoryMarketplace: runtimes.marketplace.length,
      Forwarder: runtimes.forwarder.length,
      Deposit: runtimes.depositCode.length,
    },
  }
}

if (import.meta.main) {
  const measured = await measureGas()
  writeFileSync(gasSnapshotFile, `${JSON.stringify(measured, undefined, 2)}\n`)
  writeFileSync(gasDocumentFile, writeGasDocument(measured))
}
