import { type Card, digest, encodeCard, hash, nobody } from '@heirloom/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CatalogueStore,
  insertRows,
} from '../../packages/adapters/src/catalogue/catalogue-store.ts'
import { forgetCards } from '../../packages/adapters/src/catalogue/forget-cards.ts'
import { lookUpCards } from '../../packages/adapters/src/catalogue/indexer/card-lookup.ts'
import { postgresCatalogueStore } from '../../packages/adapters/src/catalogue/postgres-catalogue-store.ts'
import { rollBack } from '../../packages/adapters/src/catalogue/projection/rollback.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const hex = (of: number, length: number) => `0x${of.toString(16).padStart(length, '0')}` as const
const identity = {
  ...{ chainId: 1, genesis: hex(1, 64) },
  ...{ registry: hex(2, 40), marketplace: hex(3, 40) },
}

/** The stores of two servers that share the catalogue. */
const stores: CatalogueStore[] = []

beforeAll(async () => {
  for (let count = 0; count < 2; count++) {
    stores.push(await postgresCatalogueStore(new URL(postgres.url).href, identity))
  }
})
afterAll(() => Promise.all(stores.map((store) => store.close())))

const vocabulary = Array.from({ length: 40 }, (_, at) => `word${at}`)
const someWords = fc.shuffledSubarray(vocabulary, { minLength: 10, maxLength: 14 })
const cardWith = fc.record({
  title: fc.constant('Notes'),
  description: someWords.map((words) => words.join(' ')),
})

const digestOf = (tokenId: number) => digest(hex(tokenId, 64))
const contentHashOf = (tokenId: number) => hash(hex(tokenId, 64))

/** Adds tokens, each in a block of its own, whose cards are to be looked up. */
async function mint(store: CatalogueStore, tokenIds: readonly number[]): Promise<void> {
  const tokens = tokenIds.map((id) => ({
    ...{ id, source: id, contentHash: contentHashOf(id), digest: digestOf(id), creator: nobody },
    ...{ parent: null, royaltyBps: null, claims: '', depth: 0, owner: nobody },
    ...{ block: id, logIndex: 0, blockHash: hex(id, 64), txHash: hex(id, 64), at: 0 },
    ...{ price: '0', rentalPricePerDay: '0', forkPrice: '0', asset: null, forkRoyaltyBps: 0 },
    listedAt: null,
  }))
  const cards = tokenIds.map((tokenId) => ({
    ...{ tokenId, block: tokenId, digest: digestOf(tokenId), state: 'wanted' as const, looks: 0 },
    ...{ lookAt: 0, category: null, card: null },
  }))
  await insertRows(store, store.db, { table: 'token', rows: tokens as never })
  await insertRows(store, store.db, { table: 'card', rows: cards })
}

async function shownWords({ db }: CatalogueStore): Promise<readonly (readonly [string, number])[]> {
  const rows = await db.selectFrom('word').selectAll().orderBy('word').execute()
  return rows.map(({ word, cards }) => [word, Number(cards)])
}

/** Counts the words of the cards that are shown, one by one. */
async function countWords({ db }: CatalogueStore): Promise<readonly (readonly [string, number])[]> {
  const rows = await db.selectFrom('card').select('card').where('state', '=', 'shown').execute()
  const counts = new Map<string, number>()
  for (const { card } of rows) {
    const { title, description = '' }: Card = JSON.parse(card ?? '')
    for (const word of `${title.toLowerCase()} ${description}`.split(' ')) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

const perRound = 24
const numRuns = 6

test('cards that one server finds, another forgets and a third undoes never wait for each other in a circle', async () => {
  const [first, second] = stores as [CatalogueStore, CatalogueStore]
  const cards = new Map<number, Card>()
  const readBlock = async (of: string) => {
    const tokenId = Number(of)
    return encodeCard({ card: cards.get(tokenId) as Card, contentHash: contentHashOf(tokenId) })
  }
  const lookUp = (store: CatalogueStore) =>
    lookUpCards(store, { readBlock, isErased: () => false }, 1)
  let last = 0
  const mintSome = async (some: readonly Card[]) => {
    const tokenIds = some.map((card) => {
      cards.set(++last, card)
      return last
    })
    await mint(first, tokenIds)
    return tokenIds
  }
  const round = fc.array(cardWith, { minLength: perRound, maxLength: perRound })
  await fc.assert(
    fc.asyncProperty(round, round, round, async (forgotten, undone, found) => {
      const old = await mintSome(forgotten)
      const young = await mintSome(undone)
      while ((await lookUp(first)) > 0);
      await mintSome(found)
      await Promise.all([
        lookUp(first),
        forgetCards(second, old.toReversed().map(digestOf)),
        second.db.transaction().execute(async (trx) => {
          await second.lockCards(trx)
          await rollBack(trx, young[0] as number)
        }),
      ])
      while ((await lookUp(first)) > 0);
      expect(await shownWords(first)).toEqual(await countWords(first))
    }),
    { numRuns, seed: 7, endOnFailure: true },
  )
})
