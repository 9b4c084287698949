import assert from 'node:assert/strict'
import {
  type Account,
  account,
  type DepositedGrant,
  digest,
  fromSeconds,
  type GrantBounds,
  type GrantRequest,
  type Grants,
  instant,
  name,
  type Page,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import type { Law } from './law.ts'
import { refuses } from './refuses.ts'

let counted = 0

/** Returns a number that no other run has. */
const next = () => ++counted

const hex = (number: number, digits: number) =>
  `0x${number.toString(16).padStart(digits, '0')}` as const

/** Returns an account that no other run has. */
const newOwner = () => account(hex(next(), 40))

const wide: GrantBounds = { ofOwner: 1000, ofClient: 10_000, inAll: 100_000 }

const daySeconds = 86_400

/** Returns the request of a client at a time in seconds. */
const at = (seconds: number, bounds = wide, client = 'client'): GrantRequest => ({
  client,
  now: fromSeconds(seconds),
  bounds,
})

const now = at(1000)

type Terms = { readonly issuedAt: number; readonly days: number; readonly label: string }

const arbitraryTerms: fc.Arbitrary<Terms> = fc.record({
  // Few times, so that some are equal.
  issuedAt: fc.integer({ min: 1, max: 4 }),
  days: fc.integer({ min: 1, max: 366 }),
  label: fc.constantFrom('', 'auditor', 'Prüfer 2'),
})

const plain: Terms = { issuedAt: 1, days: 1, label: '' }

/** Returns a grant of an owner that no other run has. */
function grantOf(
  owner: Account,
  { issuedAt, days, label }: Terms = plain,
  reader = account(hex(9, 40)),
): DepositedGrant {
  const id = hex(next(), 64)
  const expires = issuedAt + days * daySeconds
  const terms = { name: '', rights: 'read', holders: ['http://localhost'], issuedAt, expires }
  const of = { tokenId: tokenId(7n), transferCount: 2n, digest: digest(hex(7, 64)) }
  const grant = { statement: 'A sentence.', owner, reader, ...of, ...terms, salt: hex(1, 64) }
  return { id, grant, signature: '0x1234', label }
}

async function depositAll(grants: Grants, some: readonly DepositedGrant[]): Promise<void> {
  for (const it of some) await grants.deposit(it, now)
}

async function revokeEach(grants: Grants, some: readonly DepositedGrant[]): Promise<void> {
  for (const { id, grant } of some) {
    await grants.revoke({ id, owner: grant.owner, grant: undefined }, now)
  }
}

async function readAll(read: Grants['list'], of: Account, limit = 100) {
  const found: DepositedGrant[] = []
  let page: Page<DepositedGrant> = await read(of, { limit, now: now.now })
  found.push(...page.items)
  while (page.next !== undefined) {
    assert.equal(page.items.length, limit)
    page = await read(of, { limit, now: now.now, after: page.next })
    found.push(...page.items)
  }
  return found
}

const listAll = (grants: Grants, owner: Account, limit?: number) =>
  readAll(grants.list, owner, limit)

const receiveAll = (grants: Grants, reader: Account, limit?: number) =>
  readAll(grants.received, reader, limit)

const inOrder = (some: readonly DepositedGrant[]) =>
  some.toSorted(
    (one, other) => other.grant.issuedAt - one.grant.issuedAt || (one.id < other.id ? -1 : 1),
  )

const someTerms = fc.array(arbitraryTerms, { maxLength: 6 })

/** The laws of every `Grants`. */
export const grantsLaws: readonly Law<Grants>[] = [
  {
    name: 'finds what was deposited, and nothing else',
    holds: (grants) =>
      fc.assert(
        fc.asyncProperty(someTerms, async (terms) => {
          const some = terms.map((it) => grantOf(newOwner(), it))
          await depositAll(grants, some)
          for (const it of some) assert.deepEqual(await grants.find(it.id), it)
          assert.equal(await grants.find(hex(next(), 64)), undefined)
        }),
      ),
  },
  {
    name: 'replaces the label of a grant that is deposited again',
    holds: async (grants) => {
      const first = grantOf(newOwner())
      const again = { ...first, label: 'again' }
      await depositAll(grants, [first, again, again])
      assert.deepEqual(await grants.find(first.id), again)
      assert.deepEqual(await listAll(grants, first.grant.owner), [again])
    },
  },
  {
    name: 'finds no grant that was revoked, and takes it never again',
    holds: (grants) =>
      fc.assert(
        fc.asyncProperty(arbitraryTerms, fc.boolean(), async (terms, hasText) => {
          const owner = newOwner()
          const [one, other] = [grantOf(owner, terms), grantOf(owner, terms)]
          await depositAll(grants, [one, other])
          const grant = hasText ? one.grant : undefined
          for (const _ of [1, 2]) {
            assert.equal(await grants.revoke({ id: one.id, owner, grant }, now), true)
          }
          assert.equal(await grants.find(one.id), undefined)
          await refuses('grant/revoked', grants.deposit(one, now))
          assert.equal(await grants.find(one.id), undefined)
          assert.deepEqual(await listAll(grants, owner), [other])
        }),
      ),
  },
  {
    name: 'revokes a grant that it has never seen',
    holds: async (grants) => {
      const { id, grant, ...rest } = grantOf(newOwner())
      const { owner } = grant
      assert.equal(await grants.revoke({ id, owner, grant: undefined }, now), false)
      assert.equal(await grants.revoke({ id, owner, grant }, now), true)
      assert.equal(await grants.revoke({ id, owner, grant: undefined }, now), true)
      await refuses('grant/revoked', grants.deposit({ id, grant, ...rest }, now))
    },
  },
  {
    name: 'revokes no grant of another owner',
    holds: async (grants) => {
      const [one, stranger] = [grantOf(newOwner()), newOwner()]
      await grants.deposit(one, now)
      const { id, grant } = one
      for (const text of [undefined, grant]) {
        assert.equal(await grants.revoke({ id, owner: stranger, grant: text }, now), false)
      }
      await grants.revokeAll(stranger, 1000, now)
      assert.deepEqual(await grants.find(id), one)
    },
  },
  {
    name: 'revokes all grants of an owner that were signed before a time, and takes none of them later',
    holds: (grants) =>
      fc.assert(
        fc.asyncProperty(
          someTerms,
          fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
          async (terms, times) => {
            const owner = newOwner()
            const early = terms.map((it) => grantOf(owner, it))
            await depositAll(grants, early)
            for (const before of times) await grants.revokeAll(owner, before, now)
            const least = Math.max(...times)
            for (const it of [...early, ...terms.map((of) => grantOf(owner, of))]) {
              if (it.grant.issuedAt >= least) {
                await grants.deposit(it, now)
                assert.deepEqual(await grants.find(it.id), it)
              } else {
                assert.equal(await grants.find(it.id), undefined)
                await refuses('grant/revoked', grants.deposit(it, now))
              }
            }
            const listed = await listAll(grants, owner)
            assert.ok(listed.every(({ grant }) => grant.issuedAt >= least))
          },
        ),
      ),
  },
  {
    name: 'revokes the grants of one name of an owner, and counts those that had not ended',
    holds: async (grants) => {
      const owner = newOwner()
      const named = (text: string, of = owner, days = 2): DepositedGrant => {
        const { grant, ...rest } = grantOf(of, { ...plain, days })
        return { ...rest, grant: { ...grant, name: text } }
      }
      const [one, two, ended] = [named('ada'), named('ada'), named('ada', owner, 1)]
      const others = [named('bob'), named('', owner), named('ada', newOwner())]
      await depositAll(grants, [one, two, ended, ...others])
      const later = fromSeconds(ended.grant.expires)
      assert.equal(await grants.revokeName(owner, name('ada'), later), 2)
      assert.equal(await grants.revokeName(owner, name('ada'), later), 0)
      for (const it of [one, two, ended]) {
        assert.equal(await grants.find(it.id), undefined)
        await refuses('grant/revoked', grants.deposit(it, now))
      }
      for (const it of others) assert.deepEqual(await grants.find(it.id), it)
    },
  },
  {
    name: 'lists the live grants of an owner, the last signed first, each once, page by page',
    holds: async (grants) => {
      await fc.assert(
        fc.asyncProperty(someTerms, fc.integer({ min: 1, max: 3 }), async (terms, limit) => {
          const owner = newOwner()
          const some = terms.map((it) => grantOf(owner, it))
          await depositAll(grants, [...some, grantOf(newOwner())])
          assert.deepEqual(await listAll(grants, owner, limit), inOrder(some))
        }),
      )
      const ended = grantOf(newOwner())
      await grants.deposit(ended, now)
      const after = fromSeconds(ended.grant.expires)
      assert.deepEqual(await grants.list(ended.grant.owner, { limit: 1, now: after }), {
        items: [],
        next: undefined,
      })
      for (const cursor of ['', 'x', '1', '-1.2', ended.id]) {
        const page = { limit: 1, now: instant(1), after: cursor }
        await refuses('request/malformed', grants.list(ended.grant.owner, page))
      }
    },
  },
  {
    name: 'lists to a reader the live grants of those owners alone that it accepted, also later ones',
    holds: async (grants) => {
      await fc.assert(
        fc.asyncProperty(someTerms, fc.integer({ min: 1, max: 3 }), async (terms, limit) => {
          const [reader, one, stranger] = [newOwner(), newOwner(), newOwner()]
          const some = () => terms.map((it) => grantOf(one, it, reader))
          const [early, later] = [some(), some()]
          const others = [grantOf(stranger, plain, reader), grantOf(one, plain, newOwner())]
          await depositAll(grants, [...early, ...others])
          assert.deepEqual(await receiveAll(grants, reader), [])
          const isAccepted = await grants.accept({ reader, owner: one }, now.now)
          assert.equal(isAccepted, terms.length > 0)
          // Also those of an owner that revoked the others one by one.
          await revokeEach(grants, early)
          await depositAll(grants, later)
          assert.deepEqual(await receiveAll(grants, reader, limit), inOrder(later))
          const again = later.map((it) => ({ ...it, label: 'again' }))
          await depositAll(grants, again)
          assert.deepEqual(await receiveAll(grants, reader), inOrder(again))
        }),
      )
      const [reader, owner] = [newOwner(), newOwner()]
      await depositAll(grants, [grantOf(owner, plain, reader), grantOf(owner, plain, reader)])
      await grants.accept({ reader, owner }, now.now)
      const { next } = await grants.received(reader, { limit: 1, now: now.now })
      for (const after of ['', 'x', '1', next ?? '']) {
        await refuses(
          'request/malformed',
          grants.received(owner, { limit: 1, now: now.now, after }),
        )
        await refuses('request/malformed', grants.list(reader, { limit: 1, now: now.now, after }))
      }
      const ended = fromSeconds(1 + daySeconds)
      assert.deepEqual((await grants.received(reader, { limit: 1, now: ended })).items, [])
    },
  },
  {
    name: 'accepts nobody whose grants to the reader have ended or are not here',
    holds: async (grants) => {
      const [reader, owner, revoker] = [newOwner(), newOwner(), newOwner()]
      const ended = grantOf(owner, plain, reader)
      const revoked = grantOf(revoker, plain, reader)
      await depositAll(grants, [ended, revoked, grantOf(newOwner(), plain, reader)])
      const after = fromSeconds(ended.grant.expires)
      await grants.revoke({ id: revoked.id, owner: revoker, grant: undefined }, now)
      const pairs = [
        { reader, owner: newOwner() },
        { reader: owner, owner: reader },
        { reader, owner: revoker },
      ]
      for (const it of pairs) assert.equal(await grants.accept(it, now.now), false)
      assert.equal(await grants.accept({ reader, owner }, after), false)
      await depositAll(grants, [ended, grantOf(revoker, plain, reader)])
      assert.deepEqual(await receiveAll(grants, reader), [])
    },
  },
  {
    name: 'lists a reader nothing of an owner that it ignores, until it accepts it again',
    holds: async (grants) => {
      const [reader, one, other] = [newOwner(), newOwner(), newOwner()]
      const [ofOne, ofOther] = [one, other].map((it) => grantOf(it, plain, reader))
      await depositAll(grants, [ofOne, ofOther] as DepositedGrant[])
      for (const owner of [one, other]) await grants.accept({ reader, owner }, now.now)
      await grants.ignore({ reader, owner: one })
      await grants.ignore({ reader: newOwner(), owner: other })
      const later = grantOf(one, { ...plain, issuedAt: 2 }, reader)
      await grants.deposit(later, now)
      assert.deepEqual(await receiveAll(grants, reader), [ofOther])
      assert.deepEqual(await grants.find(later.id), later)
      assert.equal(await grants.accept({ reader, owner: one }, now.now), true)
      assert.equal((await receiveAll(grants, reader)).length, 3)
    },
  },
  {
    name: 'refuses a grant beyond a bound with `grant/too-many`',
    holds: async (grants) => {
      const few = { ...wide, ofOwner: 2 }
      const owner = newOwner()
      const [one, two, three] = [grantOf(owner), grantOf(owner), grantOf(owner)]
      await grants.deposit(one, at(1000, few))
      await grants.deposit(two, at(1000, few))
      await refuses('grant/too-many', grants.deposit(three, at(1000, few)))
      // A grant that is there takes no more room.
      await grants.deposit({ ...one, label: 'one' }, at(1000, few))
      await grants.revoke({ id: one.id, owner, grant: undefined }, now)
      // What was revoked takes its room still: to deposit and to revoke fills none but the owner's.
      await refuses('grant/too-many', grants.deposit(three, at(1000, few)))
      await grants.revokeAll(owner, 2, at(1000, few))
      const anew = [1, 2].map(() => grantOf(owner, { ...plain, issuedAt: 2 }))
      for (const it of anew) await grants.deposit(it, at(1000, few))
      const full = at(1000, { ...wide, ofClient: 3 })
      await refuses('grant/too-many', grants.deposit(grantOf(newOwner()), full))
      await refuses('grant/too-many', grants.revokeAll(newOwner(), 1, full))
      const elsewhere = at(1000, { ...wide, ofClient: 3 }, 'other')
      await grants.deposit(grantOf(newOwner()), elsewhere)
      const all = at(1000, { ...wide, inAll: 4 }, 'third')
      await refuses('grant/too-many', grants.deposit(grantOf(newOwner()), all))
      const unseen = grantOf(newOwner())
      const revocation = { id: unseen.id, owner: unseen.grant.owner, grant: unseen.grant }
      await refuses('grant/too-many', grants.revoke(revocation, all))
    },
  },
  {
    name: 'keeps half of all room for deposits, whatever is revoked that it has never seen',
    holds: async (grants) => {
      const by = (client: string) => at(1000, { ...wide, inAll: 4 }, client)
      const revokeUnseen = (client: string) => {
        const { id, grant } = grantOf(newOwner())
        return grants.revoke({ id, owner: grant.owner, grant }, by(client))
      }
      await revokeUnseen('one')
      await grants.revokeAll(newOwner(), 1, by('two'))
      await refuses('grant/too-many', revokeUnseen('three'))
      await refuses('grant/too-many', grants.revokeAll(newOwner(), 1, by('three')))
      for (const _ of [3, 4]) await grants.deposit(grantOf(newOwner()), by('three'))
      await refuses('grant/too-many', grants.deposit(grantOf(newOwner()), by('three')))
    },
  },
  {
    name: 'revokes a grant that it has, whatever the bounds',
    holds: async (grants) => {
      const owner = newOwner()
      const [one, two] = [grantOf(owner), grantOf(owner)]
      await depositAll(grants, [one, two])
      const none = at(1000, { ofOwner: 0, ofClient: 0, inAll: 0 })
      assert.equal(await grants.revoke({ id: one.id, owner, grant: undefined }, none), true)
      await grants.revokeAll(owner, 1000, none)
      assert.deepEqual(await listAll(grants, owner), [])
    },
  },
  {
    name: 'forgets a day after its end what was deposited and what was revoked',
    holds: async (grants) => {
      const owner = newOwner()
      const [live, revoked] = [grantOf(owner), grantOf(owner)]
      await depositAll(grants, [live, revoked])
      await grants.revoke({ id: revoked.id, owner, grant: undefined }, now)
      const end = live.grant.expires + daySeconds
      await refuses('grant/revoked', grants.deposit(revoked, at(end)))
      assert.deepEqual(await grants.find(live.id), live)
      await grants.deposit(grantOf(newOwner(), { ...plain, days: 366 }), at(end + 1))
      assert.equal(await grants.find(live.id), undefined)
      assert.equal(
        await grants.revoke({ id: revoked.id, owner, grant: undefined }, at(end + 1)),
        false,
      )
    },
  },
]
