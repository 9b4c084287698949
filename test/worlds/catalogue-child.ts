import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import type { Hex } from 'viem'

// Follows a chain into a file until it is killed.

const { rpc, contracts, db } = JSON.parse(process.argv[2] ?? '') as {
  readonly rpc: string
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly db: string
}
await sqlCatalogue({ chain: new URL(rpc), contracts, db, reorgDepth: 100_000 })
process.stdout.write('following\n')
setInterval(() => undefined, 1000)
