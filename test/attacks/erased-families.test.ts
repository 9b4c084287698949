import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant, type ListingsQuery, type TokenId, wei } from '@heirloom/core'
import { memoryErasures, type Party } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showErased } from '../../packages/http/src/server/erasing/server-erasures.ts'
import {
  catalogueHarness,
  type OpenCatalogueHarness,
} from '../harness/catalogue/catalogue-harness.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'erased-families-'))
let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  for (const each of [postgres.folder, folder]) rmSync(each, { recursive: true })
})

const group = { group: 'family', limit: 20 } as const
const orders: readonly ListingsQuery[] = [
  { ...group, sort: 'listedAt', descending: true },
  { ...group, sort: 'price', descending: false },
  { ...group, sort: 'price', descending: true },
]

const numbered = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as never

describe.each([
  ['a file of SQLite, read by a worker', () => join(folder, 'families.sqlite')],
  ['PostgreSQL', () => new URL(postgres.url)],
] as const)('a family of which a buyer erased a version and offers it, in %s', (_, db) => {
  let harness: OpenCatalogueHarness
  let first: TokenId
  const erasures = memoryErasures()
  beforeAll(async () => {
    harness = await catalogueHarness(await openEmbeddedHarness(), { db: db() })
    const [maker, buyer] = harness.parties as readonly [Party, Party]
    const mint = async (number: number, parent?: TokenId) => {
      const hashes = { contentHash: numbered(number), digest: numbered(number) }
      const recipient = maker.ledger.agent
      return (await maker.ledger.mint({ ...hashes, parent, recipient })).tokenId
    }
    const offer = { rentalPricePerDay: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
    first = await mint(1)
    await maker.ledger.list({ ...offer, tokenId: first, price: wei(7n) })
    for (const [number, price] of [
      [2, wei(1n)],
      [3, wei(10n ** 24n)],
    ] as const) {
      const sold = await mint(number, first)
      await maker.ledger.list({ ...offer, tokenId: sold, price: wei(5n) })
      await buyer.ledger.buy({ tokenId: sold, recipient: buyer.ledger.agent, price: wei(5n) })
      // The contracts know nothing of an erasure.
      await erasures.add([numbered(number)], instant(1))
      await harness.catalogue.forgetCards([numbered(number)])
      await buyer.ledger.list({ ...offer, tokenId: sold, price })
    }
    await harness.caughtUp()
  })
  afterAll(() => harness.close())

  test.each(orders)(
    'stands by $sort with what its maker offers (descending: $descending)',
    async (query) => {
      const { items } = await showErased(harness.catalogue, erasures).listings(query)
      expect(items.map(({ tokenId, family }) => [tokenId, family])).toEqual([
        [first, { tokenId: first, listings: 1, versions: 1 }],
      ])
    },
  )

  test('counts nothing that is erased', async () => {
    const { total, families } = await harness.catalogue.facets({ sort: 'listedAt' })
    expect({ total, families }).toEqual({ total: 1, families: 1 })
  })
})
