import assert from 'node:assert/strict'
import {
  type Account,
  instant,
  type Openings,
  openingWithin,
  type RecordedOpening,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryAccount, arbitraryDigest } from '../arbitraries/values.ts'
import type { Law } from './law.ts'
import { refuses } from './refuses.ts'

let tokens = 0n

/** Returns a token that no other run has. */
const newToken = () => tokenId(++tokens)

const start = instant(1_800_000_000_000)

const arbitraryRight = fc.constantFrom<RecordedOpening['right'][]>(
  { kind: 'owner' },
  { kind: 'rental' },
  { kind: 'grant', grant: `0x${'a1'.repeat(32)}`, label: 'auditor of  the house' },
  { kind: 'grant', grant: `0x${'a1'.repeat(32)}`, label: '' },
)

const someone = fc.sample(arbitraryAccount, { seed: 1, numRuns: 2 }) as [Account, Account]

type Of = Pick<RecordedOpening, 'tokenId' | 'owner'>

const arbitraryOpening = fc
  .record({
    right: arbitraryRight,
    // Few of each, so that many are equal, or differ by one of them.
    account: fc.constantFrom(...someone),
    digest: fc.constantFrom(...fc.sample(arbitraryDigest, { seed: 1, numRuns: 2 })),
    scope: fc.constantFrom('whole' as const, 'part' as const, 'search' as const),
    second: fc.integer({ min: 0, max: 1 }),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ right, account, scope, second, ...more }) => (of: Of): RecordedOpening => {
    const opening = { ...of, right, ...more, at: instant(start + second * 1000 + 7) }
    if (right.kind === 'rental') return openingWithin(opening, 86_400)
    return openingWithin({ ...opening, account, scope, asOf: start }, 1)
  })

const arbitraryOpenings = fc.array(arbitraryOpening, { maxLength: 32 })

function recordAll(
  openings: Openings,
  of: Of,
  some: readonly ((of: Of) => RecordedOpening)[],
): readonly RecordedOpening[] {
  const recorded = some.map((opening) => opening(of))
  for (const opening of recorded) openings.record(opening)
  return recorded
}

async function readAll(openings: Openings, of: Of, limit = 100) {
  const found: RecordedOpening[] = []
  let after: string | undefined
  do {
    const page = await openings.list(of, { limit, after })
    assert.ok(page.items.length <= limit)
    found.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return found
}

/** Returns openings in an order that does not depend on a store, equal ones as one. */
function summed(openings: readonly RecordedOpening[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { count, tokenId: id, ...opening } of openings) {
    const members = Object.entries({ ...opening, id: `${id}` }).filter(([, it]) => it !== undefined)
    const key = JSON.stringify(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return [...counts].map(([key, count]) => `${key} ${count}`).toSorted()
}

const ofNewToken = (owner = someone[0]): Of => ({ tokenId: newToken(), owner })

/** The laws of every `Openings`. */
export const openingsLaws: readonly Law<Openings>[] = [
  {
    name: 'returns what was recorded, newest first, each once, page by page',
    holds: (openings) =>
      fc.assert(
        fc.asyncProperty(arbitraryOpenings, fc.integer({ min: 1, max: 3 }), async (some, limit) => {
          const of = ofNewToken()
          const recorded = recordAll(openings, of, some)
          const found = await readAll(openings, of, limit)
          assert.deepEqual(summed(found), summed(recorded))
          assert.equal(found.length, summed(recorded).length)
          const times = found.map(({ at }) => at)
          assert.deepEqual(
            times,
            times.toSorted((one, other) => other - one),
          )
        }),
      ),
  },
  {
    name: 'adds up the counts of equal openings in one stretch of time',
    holds: (openings) =>
      fc.assert(
        fc.asyncProperty(arbitraryOpening, fc.integer({ min: 1, max: 4 }), async (one, times) => {
          const of = ofNewToken()
          const [first] = recordAll(openings, of, [one])
          // The first is in the store by then, and the others meet it there.
          await openings.list(of, { limit: 1 })
          for (let time = 0; time < times; time++) recordAll(openings, of, [one])
          const count = (first?.count ?? 0) * (times + 1)
          assert.deepEqual(summed(await readAll(openings, of)), summed([{ ...one(of), count }]))
        }),
      ),
  },
  {
    name: 'shows each owner the openings of each token in its own time, and no others',
    holds: (openings) =>
      fc.assert(
        fc.asyncProperty(arbitraryOpening, arbitraryOpening, async (one, other) => {
          const seller = ofNewToken()
          const buyer = { ...seller, owner: someone[1] }
          const elsewhere = ofNewToken()
          const before = recordAll(openings, seller, [one])
          const after = recordAll(openings, buyer, [one, other])
          const others = recordAll(openings, elsewhere, [other])
          assert.deepEqual(summed(await readAll(openings, seller)), summed(before))
          assert.deepEqual(summed(await readAll(openings, buyer)), summed(after))
          assert.deepEqual(summed(await readAll(openings, elsewhere)), summed(others))
        }),
      ),
  },
  {
    name: 'reports whether there are some of a token in the time of an owner',
    holds: (openings) =>
      fc.assert(
        fc.asyncProperty(arbitraryOpening, async (one) => {
          const [of, elsewhere] = [ofNewToken(), ofNewToken()]
          const later = { ...of, owner: someone[1] }
          assert.equal(await openings.has(of), false)
          recordAll(openings, of, [one])
          const found = () => Promise.all([of, later, elsewhere].map(openings.has))
          assert.deepEqual(await found(), [true, false, false])
          await openings.list(of, { limit: 1 })
          assert.deepEqual(await found(), [true, false, false])
        }),
      ),
  },
  {
    name: 'forgets what began before a time, and nothing else',
    holds: (openings) =>
      fc.assert(
        fc.asyncProperty(arbitraryOpenings, fc.integer({ min: 0, max: 5 }), async (some, end) => {
          const of = ofNewToken()
          const recorded = recordAll(openings, of, some)
          await openings.list(of, { limit: 1 })
          const before = instant(start + end * 1000)
          await openings.forget(before)
          const rest = recorded.filter(({ at }) => at >= before)
          assert.deepEqual(summed(await readAll(openings, of)), summed(rest))
        }),
      ),
  },
  {
    name: 'refuses a cursor that it did not issue with `request/malformed`',
    holds: async (openings) => {
      const of = ofNewToken()
      for (const after of ['', 'x', '1', '-1.2', `${of.tokenId}`, `openings.${of.tokenId}.1.AA`]) {
        await refuses('request/malformed', openings.list(of, { after, limit: 1 }))
      }
    },
  },
]
