import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeCard, type ListingsQuery, type TokenId, wei } from '@heirloom/core'
import type { Party } from '@heirloom/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  catalogueHarness,
  type OpenCatalogueHarness,
} from '../harness/catalogue/catalogue-harness.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { times } from '../tier.ts'

/** An agent that offers a version of its memory each day has 1,000 in three years. */
const versions = times(300, 1_000)

const folder = mkdtempSync(join(tmpdir(), 'families-'))
let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  for (const each of [postgres.folder, folder]) rmSync(each, { recursive: true })
})

const search = { search: 'weather', group: 'family', limit: 20 } as const
const orders: readonly ListingsQuery[] = [
  { ...search, sort: 'relevance', descending: true },
  { ...search, sort: 'listedAt', descending: true },
  { ...search, sort: 'price', descending: false },
]

describe.each([
  ['a file of SQLite, read by a worker', () => join(folder, 'families.sqlite')],
  ['PostgreSQL', () => new URL(postgres.url)],
] as const)('a family of many versions, in %s', (_, db) => {
  let harness: OpenCatalogueHarness
  let newest: TokenId
  beforeAll(async () => {
    harness = await catalogueHarness(await openEmbeddedHarness(), { db: db() })
    newest = await offerVersions(harness)
  })
  afterAll(() => harness.close())

  test.each(orders)('is found by a word, in the order of $sort', async (query) => {
    const { items } = await harness.catalogue.listings(query)
    expect(items.map(({ tokenId, family }) => [tokenId, family])).toEqual([
      [newest, { tokenId: newest, listings: versions, versions }],
    ])
  })
})

/** Offers the versions of a memory; returns the newest. */
async function offerVersions(harness: OpenCatalogueHarness): Promise<TokenId> {
  const [{ ledger }] = harness.parties as readonly [Party]
  const mintVersion = async (index: number, parent?: TokenId) => {
    const contentHash = `0x${index.toString(16).padStart(64, '0')}` as never
    const block = encodeCard({ card: { title: 'Weather wisdom' }, contentHash })
    const card = await harness.keepCard(block)
    const recipient = ledger.agent
    const minted = { contentHash, digest: contentHash as never, parent, recipient, card }
    const { tokenId } = await ledger.mint(minted)
    await ledger.list({ ...offer, tokenId })
    return tokenId
  }
  const first = await mintVersion(1)
  const later = Array.from({ length: versions - 1 }, (_, index) => mintVersion(index + 2, first))
  const all = await Promise.all(later)
  await harness.caughtUp()
  return all.toSorted((one, other) => Number(other - one))[0] as TokenId
}

const offer = {
  price: wei(7n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}
