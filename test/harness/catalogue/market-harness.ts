import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { deployContracts } from '@heirloom/adapters/contracts'
import { wallets } from '@heirloom/testkit'
import type { LocalAccount } from 'viem'
import { type Anvil, startAnvil, testClient } from '../chain/anvil.ts'
import { type Market, openMarket } from './acts.ts'
import { contentOf } from './read-content.ts'
import { gatedChain } from '../chain/gated-chain.ts'
import { type Postgres, startPostgres } from '../process/postgres.ts'

/** A market on an anvil of its own, and places for catalogues. */
export type CatalogueStage = {
  readonly anvil: Anvil
  readonly postgres: Postgres
  readonly folder: string
  readonly contracts: sqlCatalogue.Options['contracts']
  readonly market: Market
  /** Returns the path of a file in the folder. */
  readonly path: (name: string) => string
  /** Follows the chain to its head, and returns what is then kept. */
  readonly contentAt: (
    db: string | URL,
    more?: Partial<sqlCatalogue.Options>,
  ) => ReturnType<typeof contentOf>
  readonly close: () => Promise<void>
}

/** Opens a market with nothing in it, whose node tells no more at once than it is let. */
export async function catalogueStage(limits?: gatedChain.Limits): Promise<CatalogueStage> {
  const anvil = await startAnvil()
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  const wallet = wallets[0] as LocalAccount
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 22n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const contracts = { registry, marketplace }
  return {
    ...{ anvil, postgres, folder, contracts },
    market: await openMarket(gatedChain(anvil.url, limits), contracts),
    path: (name) => join(folder, name),
    contentAt: async (db, more = {}) => {
      const catalogue = await sqlCatalogue({ chain: anvil.url, contracts, db, ...more })
      await catalogue.caughtUp()
      await catalogue.close()
      return contentOf(db)
    },
    close: async () => {
      await anvil.stop()
      await postgres.stop('fast')
      for (const each of [postgres.folder, folder]) rmSync(each, { recursive: true })
    },
  }
}
