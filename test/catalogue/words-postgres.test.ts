import { type Card, digest, encodeCard, hash } from '@heirloom/core'
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
import { bytesOf } from '../../packages/adapters/src/catalogue/table.ts'
import { hex, version } from '../../packages/adapters/src/catalogue/test/counted-market.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const identity = {
  chainId: 1,
  genesis: hex(1, 64),
  registry: hex(2, 40),
  marketplace: hex(3, 40),
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
  const tokens = tokenIds.map((id) => ({ ...version(id), block: id }))
  const cards = tokenIds.map((tokenId) => ({
    tokenId,
    block: tokenId,
    digest: bytesOf(digestOf(tokenId)),
    state: 'wanted' as const,
    looks: 0,
    lookAt: 0,
    title: null,
    category: null,
    card: null,
  }))
  await insertRows(store, store.db, { table: 'token', rows: tokens })
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

/** Returns the tokens that keep another title than that of the card that they show. */
const wrongTitles = ({ db }: CatalogueStore) =>
  db
    .selectFrom('token')
    .leftJoin('card', 'card.tokenId', 'token.source')
    .select(['token.id', 'token.title'])
    .where((on) => on('token.title', '!=', on.fn.coalesce('card.title', on.val(''))))
    .execute()

const perRound = 24
const numRuns = 6

/** Cards to be looked up on one of several servers, and the tokens that have them. */
function newCards() {
  const cards = new Map<number, Card>()
  const readBlock = async (of: string) => {
    const tokenId = Number(of)
    return encodeCard({ card: cards.get(tokenId) as Card, contentHash: contentHashOf(tokenId) })
  }
  return {
    lookUp: (store: CatalogueStore) => lookUpCards(store, { readBlock, isErased: () => false }, 1),
    mintSome: async (store: CatalogueStore, some: readonly Card[]) => {
      const tokenIds = some.map((card) => {
        cards.set(++last, card)
        return last
      })
      await mint(store, tokenIds)
      return tokenIds
    },
  }
}

/** The last token. */
let last = 0

const round = fc.array(cardWith, { minLength: perRound, maxLength: perRound })

/** Undoes all tokens from one on, as after a reorganisation. */
const undo = (store: CatalogueStore, from = 0) =>
  store.db.transaction().execute(async (trx) => {
    await store.lockCards(trx)
    await rollBack(trx, from)
  })

test('cards that one server finds, another forgets and a third undoes never wait for each other in a circle', async () => {
  const [first, second] = stores as [CatalogueStore, CatalogueStore]
  const { lookUp, mintSome } = newCards()
  await fc.assert(
    fc.asyncProperty(round, round, round, async (forgotten, undone, found) => {
      const old = await mintSome(first, forgotten)
      const young = await mintSome(first, undone)
      while ((await lookUp(first)) > 0);
      await mintSome(first, found)
      await Promise.all([
        lookUp(first),
        forgetCards(second, old.toReversed().map(digestOf)),
        undo(second, young[0]),
      ])
      while ((await lookUp(first)) > 0);
      expect(await shownWords(first)).toEqual(await countWords(first))
      expect(await wrongTitles(first)).toEqual([])
    }),
    { numRuns, seed: 7, endOnFailure: true },
  )
})

test('the words are right beside an older server, which takes no turns and repeats what PostgreSQL refuses', async () => {
  const [first, second] = stores as [CatalogueStore, CatalogueStore]
  const older = { ...second, lockCards: async () => undefined }
  const { lookUp, mintSome } = newCards()
  const untilDone = async (act: () => Promise<unknown>) => {
    while (!(await act().then(() => true, isCircle)));
  }
  await fc.assert(
    fc.asyncProperty(round, round, async (forgotten, found) => {
      const old = await mintSome(first, forgotten)
      while ((await lookUp(first)) > 0);
      await mintSome(first, found)
      await Promise.all([
        untilDone(() => lookUp(first)),
        untilDone(() => forgetCards(older, old.toReversed().map(digestOf))),
      ])
      while ((await lookUp(first)) > 0);
      expect(await shownWords(first)).toEqual(await countWords(first))
      expect(await wrongTitles(first)).toEqual([])
    }),
    { numRuns, seed: 8, endOnFailure: true },
  )
})

/** Returns false for a transaction that PostgreSQL ended because two waited for each other. */
function isCircle(error: { readonly code?: unknown }): false {
  if (error.code !== deadlockDetected) throw error
  return false
}

/** The SQLSTATE of a transaction that waited for another one that waited for it. */
const deadlockDetected = '40P01'

test('a server that freezes during its turn with cards gives way, and changes nothing when it wakes', async () => {
  const [first, second] = stores as [CatalogueStore, CatalogueStore]
  const { lookUp, mintSome } = newCards()
  const [token = 0] = await mintSome(first, [{ title: 'Notes', description: 'word1' }])
  while ((await lookUp(first)) > 0);
  const [taken, wakes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const frozen = first.db.transaction().execute(async (trx) => {
    await first.lockCards(trx)
    taken.resolve()
    await wakes.promise
    await rollBack(trx, token)
  })
  const outcome = frozen.then(
    () => 'undone',
    () => 'refused',
  )
  await taken.promise
  expect(await forgetCards(second, [digestOf(token)])).toEqual([digestOf(token)])
  wakes.resolve()
  expect(await outcome).toBe('refused')
  const tokens = first.db.selectFrom('token').select('id').where('id', '=', token)
  expect(await tokens.execute()).toHaveLength(1)
})
