import { StatementSync } from 'node:sqlite'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import type { Hex } from 'viem'

// Follows a chain into a file, and ends itself as `kill -9` would before the statement of a number.

const { rpc, contracts, db, statements } = JSON.parse(process.argv[2] ?? '') as {
  readonly rpc: string
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly db: string
  readonly statements: number
}

let left = statements
for (const name of ['run', 'all'] as const) {
  const inner = StatementSync.prototype[name]
  StatementSync.prototype[name] = function (this: StatementSync, ...values: never[]) {
    left -= 1
    if (left < 0) process.kill(process.pid, 'SIGKILL')
    return Reflect.apply(inner, this, values) as never
  }
}

const catalogue = await sqlCatalogue({
  ...{ chain: new URL(rpc), contracts, db, reorgDepth: 100_000 },
})
await catalogue.caughtUp()
await catalogue.close()
