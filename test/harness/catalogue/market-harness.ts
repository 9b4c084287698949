import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { deployContracts } from '@heirloom/adapters/contracts'
import { wallets } from '@heirloom/testkit'
import type { LocalAccount } from 'viem'
import { type Anvil, startAnvil, testClient } from '../chain/anvil.ts'
import { deployContract } from '../chain/contract-wallets.ts'
import { gatedChain } from '../chain/gated-chain.ts'
import { type Postgres, startPostgres } from '../process/postgres.ts'
import { type Market, openMarket } from './acts.ts'
import { awkwardDollar } from './dollar-acts.ts'
import { readContent } from './read-content.ts'

/** A market on an anvil of its own, and databases for catalogues. */
export type MarketHarness = {
  readonly anvil: Anvil
  readonly postgres: Postgres
  readonly folder: string
  readonly contracts: sqlCatalogue.Options['contracts']
  readonly market: Market
  /** Returns the path of a file in the folder. */
  readonly path: (name: string) => string
  /** Indexes the chain up to its head into a database, and returns the content. */
  readonly contentAt: (
    db: string | URL,
    options?: Partial<sqlCatalogue.Options>,
  ) => ReturnType<typeof readContent>
  readonly close: () => Promise<void>
}

/** Opens an empty market, whose node refuses requests above some limits. */
export async function marketHarness(limits?: gatedChain.Limits): Promise<MarketHarness> {
  const anvil = await startAnvil()
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  const wallet = wallets[0] as LocalAccount
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 22n })
  const dollar = await deployContract(anvil.url, awkwardDollar().bytecode, wallet)
  const deployed = await deployContracts({ chain: anvil.url, wallet, dollar })
  const { registry, marketplace } = deployed
  const contracts = { registry, marketplace }
  return {
    anvil,
    postgres,
    folder,
    contracts,
    market: await openMarket(gatedChain(anvil.url, limits), { ...contracts, dollar }),
    path: (name) => join(folder, name),
    contentAt: async (db, options = {}) => {
      const catalogue = await sqlCatalogue({ chain: anvil.url, contracts, db, ...options })
      await catalogue.caughtUp()
      await catalogue.close()
      return readContent(db)
    },
    close: async () => {
      await anvil.stop()
      await postgres.stop('fast')
      for (const each of [postgres.folder, folder]) rmSync(each, { recursive: true })
    },
  }
}
