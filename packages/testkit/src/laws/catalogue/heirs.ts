import assert from 'node:assert/strict'
import { type Account, day, type HistoryEntry } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, partiesFrom } from '../ledger/fixture.ts'
import { mint, readEventsAfter } from './fixture.ts'

const party = fc.constantFrom(0, 1, 2, 3)
const namings = fc.array(fc.record({ by: party, heir: party }), { minLength: 1, maxLength: 8 })
const plan = { silenceDays: 30, noticeDays: 31 }

/** The laws of heirs in a catalogue. */
export const catalogueHeirLaws: readonly Law<CatalogueHarness>[] = [
  {
    name: 'returns the events of heirs, of no token',
    holds: async (harness) => {
      const [owner, heir] = partiesFrom(harness)
      const [account, successor] = [accountOf(owner), accountOf(heir)]
      const id = await mint(harness, owner)
      await harness.caughtUp()
      const before = (await readEventsAfter(harness, undefined)).at(-1)?.id
      await owner.heirs.nameHeir({ heir: successor, ...plan })
      await owner.heirs.heartbeat()
      await harness.wait(31 * day)
      await heir.heirs.announceTakeover(account)
      await harness.wait(32 * day)
      await heir.heirs.takeOver(account, [id])
      await owner.heirs.nameHeir(undefined)
      await harness.caughtUp()
      const events = await readEventsAfter(harness, before)
      const found = events.map(({ tokenId, ...event }) => ({ tokenId, ...fieldsOf(event) }))
      const [none, both] = [
        { tokenId: 0n, account },
        { account, heir: successor },
      ]
      const announced = events.find(({ kind }) => kind === 'takeover-announced')
      assert.ok(announced?.kind === 'takeover-announced')
      assert.equal(announced.takeoverAt - announced.at, 31 * day)
      assert.deepEqual(found, [
        { ...none, ...both, kind: 'heir-named', ...plan },
        { ...none, kind: 'heartbeat' },
        { ...none, ...both, kind: 'takeover-announced', takeoverAt: announced.takeoverAt },
        { tokenId: id, kind: 'transfer', from: account, to: successor },
        { ...none, ...both, kind: 'takeover' },
        { ...none, kind: 'heir-named', heir: undefined, silenceDays: 0, noticeDays: 0 },
      ])
    },
  },
  forAll(
    'returns the accounts that name an heir now',
    [namings, fc.integer({ min: 1, max: 4 })],
    async (harness, all, limit) => {
      const accounts = partiesFrom(harness).map(accountOf)
      const heirs = await nameAll(harness, all)
      await harness.caughtUp()
      const named = all.map(({ by }) => accounts[by])
      for (const heir of accounts) {
        const { items: found, next } = await harness.catalogue.heirOf(heir, { limit: 100 })
        assert.equal(next, undefined)
        const namers = [...heirs].flatMap(([by, it]) => (it === heir ? [by] : []))
        // The harness may have namings from before.
        const since = found.filter((it) => named.includes(it))
        assert.deepEqual(since, namers.toReversed())
        assert.deepEqual(await readPages(harness, heir, limit), found)
      }
    },
  ),
]

/** Reads the accounts that name an heir in pages, none of which may be empty but an only one. */
async function readPages({ catalogue }: CatalogueHarness, heir: Account, limit: number) {
  const found: Account[] = []
  for (let after: string | undefined; ; ) {
    const { items, next } = await catalogue.heirOf(heir, { after, limit })
    assert.ok(items.length === limit || next === undefined)
    assert.ok(items.length > 0 || after === undefined)
    found.push(...items)
    // A catalogue that begins anew would never end.
    if (next === undefined || found.length > 100) return found
    after = next
  }
}

type Naming = { readonly by: number; readonly heir: number }

/** Lets parties name heirs, or none in place of themselves; returns the heirs in the order of naming. */
async function nameAll(harness: CatalogueHarness, all: readonly Naming[]) {
  const parties = partiesFrom(harness)
  const heirs = new Map<Account, Account>()
  for (const naming of all) {
    const [by, heir] = [parties[naming.by], parties[naming.heir]]
    assert.ok(by && heir)
    const [account, successor] = [accountOf(by), accountOf(heir)]
    heirs.delete(account)
    if (by !== heir) heirs.set(account, successor)
    await by.heirs.nameHeir(by === heir ? undefined : { heir: successor, ...plan })
  }
  return heirs
}

/** Returns an event without its place on the chain. */
function fieldsOf({
  id,
  block,
  blockHash,
  logIndex,
  txHash,
  at,
  ...event
}: Omit<HistoryEntry, 'tokenId'>) {
  assert.equal(id, `${block}-${logIndex}-${blockHash.slice(2, 10)}`)
  assert.ok(txHash.startsWith('0x') && at > 0)
  return event
}
