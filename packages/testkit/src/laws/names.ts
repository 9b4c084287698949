import assert from 'node:assert/strict'
import {
  account,
  digest,
  type HoldResult,
  hash,
  instant,
  type Names,
  name,
  type OwnedName,
  type SavedVersion,
  type SaveRequest,
  type SealedVersion,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

let tokens = 0n
let owners = 0

/** Returns a name of an owner that no other run has. */
const newName = (text = 'ada'): OwnedName => ({ owner: `key ${owners++}`, name: name(text) })

const bytes32 = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`

const sealedVersion = (id: bigint): SealedVersion => ({
  contentHash: hash(bytes32(id)),
  digest: digest(bytes32(id + 1n)),
  creator: account(`0x${'1'.repeat(40)}`),
  recipient: account(`0x${'2'.repeat(40)}`),
  documentBytes: Number(id),
  storedBytes: Number(id) + 100,
})

const requestFor = (of: OwnedName, more: Partial<SaveRequest> = {}): SaveRequest => ({
  ...of,
  savedBy: 'a test',
  ...more,
})

type Held = Extract<HoldResult, { kind: 'held' }>

/** Holds a name, and requires that no equal request saved before. */
async function holdNew(names: Names, request: SaveRequest): Promise<Held> {
  const held = await names.hold(request)
  assert.equal(held.kind, 'held')
  return held as Held
}

/** Notes and mints what a hold is for. */
async function mint(names: Names, { id }: Held): Promise<SavedVersion> {
  const token = ++tokens
  const sealed = sealedVersion(token)
  await names.note(id, sealed)
  const minted = { tokenId: tokenId(token), txHash: '0x12' as const, acceptedAt: instant(1000) }
  const version = await names.move(id, minted)
  const { tokenId: newest, txHash, contentHash, savedBy } = version
  assert.deepEqual({ newest, txHash }, { newest: minted.tokenId, txHash: minted.txHash })
  assert.deepEqual({ contentHash, savedBy }, { contentHash: sealed.contentHash, savedBy: 'a test' })
  return version
}

const save = async (names: Names, request: SaveRequest): Promise<SavedVersion> =>
  mint(names, await holdNew(names, request))

async function saveMany(names: Names, of: OwnedName, count: number) {
  const saved: SavedVersion[] = []
  for (let at = 0; at < count; at++) saved.push(await save(names, requestFor(of)))
  return saved
}

const counts = fc.integer({ min: 1, max: 5 })

/** The laws of every `Names`. */
export const namesLaws: readonly Law<Names>[] = [
  forAll(
    'numbers the versions of a name from 1',
    [counts],
    async (names, count) => {
      const of = newName()
      assert.equal(await names.find(of), undefined)
      const saved = await saveMany(names, of, count)
      assert.deepEqual(
        saved.map(({ version }) => version),
        saved.map((_, at) => at + 1),
      )
      assert.deepEqual(await names.find(of), { name: of.name, last: saved.at(-1) })
    },
    { numRuns: 5 },
  ),
  {
    name: 'refuses a save after another version than the last with `name/moved`',
    holds: async (names) => {
      const of = newName()
      const { tokenId: first } = await save(names, requestFor(of, { after: tokenId(0n) }))
      const { tokenId: last } = await save(names, requestFor(of, { after: first }))
      for (const after of [tokenId(0n), first, tokenId(last + 1n)]) {
        await refuses('name/moved', names.hold(requestFor(of, { after })))
      }
      await save(names, requestFor(of, { after: last }))
      const none = newName()
      await refuses('name/moved', names.hold(requestFor(none, { after: first })))
      assert.equal(await names.find(none), undefined)
    },
  },
  {
    name: 'lets one of two racing saves win',
    holds: async (names) => {
      const of = newName()
      const { tokenId: after } = await save(names, requestFor(of))
      const held = await holdNew(names, requestFor(of, { after }))
      const loser = refuses('name/moved', names.hold(requestFor(of, { after })))
      await mint(names, held)
      await loser
      const { items } = await names.versions(of, { limit: 10 })
      assert.equal(items.length, 2)
    },
  },
  {
    name: 'lets the next save go on where a hold is released',
    holds: async (names) => {
      const of = newName()
      const first = await holdNew(names, requestFor(of))
      const second = holdNew(names, requestFor(of))
      await names.release(first.id)
      const third = await second
      await names.note(third.id, sealedVersion(7n))
      await names.release(third.id)
      assert.equal(await names.find(of), undefined)
      await save(names, requestFor(of, { after: tokenId(0n) }))
    },
  },
  {
    name: 'makes no version of a token that it refuses',
    holds: async (names) => {
      const of = newName()
      const idempotency = { key: 'key', fingerprint: 'one' }
      const [first] = await saveMany(names, of, 1)
      const refused = await holdNew(names, requestFor(of, { idempotency }))
      const token = { tokenId: tokenId(++tokens), txHash: undefined, acceptedAt: instant(1000) }
      await names.note(refused.id, sealedVersion(tokens))
      await names.release(refused.id, token)
      assert.deepEqual((await names.find(of))?.last, first)
      assert.equal(await names.versionOf(of, token.tokenId), undefined)
      await assert.rejects(names.move(refused.id, token))
      const held = await holdNew(names, requestFor(of, { idempotency }))
      const next = await mint(names, held)
      assert.equal(next.version, 2)
      const { tokenId: minted } = next
      await names.release(held.id, { ...token, tokenId: minted })
      assert.deepEqual((await names.find(of))?.last, next)
      await names.forget(of)
      assert.equal(await names.find(of), undefined)
    },
  },
  {
    name: 'returns the first version again for the same key and request',
    holds: async (names) => {
      const of = newName()
      const request = requestFor(of, { idempotency: { key: 'key', fingerprint: 'one' } })
      const released = await holdNew(names, request)
      await names.release(released.id)
      const held = await holdNew(names, request)
      const again = names.hold(request)
      const version = await mint(names, held)
      assert.deepEqual(await again, { kind: 'saved', version })
      await save(names, requestFor(of))
      assert.deepEqual(await names.hold(request), { kind: 'saved', version })
      await save(names, { ...request, owner: newName().owner })
    },
  },
  {
    name: 'refuses a key of the owner that is reused for another request with `idempotency/key-reused`',
    holds: async (names) => {
      const of = newName()
      const idempotency = { key: 'key', fingerprint: 'one' }
      const other = { key: 'key', fingerprint: 'two' }
      await save(names, requestFor(of, { idempotency }))
      for (const text of ['ada', 'bob']) {
        const request = requestFor({ ...of, name: name(text) }, { idempotency: other })
        await refuses('idempotency/key-reused', names.hold(request))
      }
    },
  },
  {
    name: 'separates the names of different owners',
    holds: async (names) => {
      const [one, other] = [newName(), newName()]
      const version = await save(names, requestFor(one))
      assert.equal(await names.find(other), undefined)
      assert.deepEqual((await names.list(other.owner, { limit: 10 })).items, [])
      await refuses('name/not-found', names.versions(other, { limit: 10 }))
      await refuses('name/not-found', names.forget(other))
      await refuses('name/not-found', names.rename(other, name('eve')))
      await save(names, requestFor(other))
      await names.forget(other)
      assert.deepEqual((await names.find(one))?.last, version)
    },
  },
  forAll(
    'lists names and versions in pages',
    [counts, fc.integer({ min: 1, max: 3 })],
    async (names, count, limit) => {
      const of = newName()
      const saved = await saveMany(names, of, count)
      const texts = ['ada', ...'bcde'.slice(0, count - 1)].map((text) => name(text))
      for (const text of texts.slice(1)) await save(names, requestFor({ ...of, name: text }))
      const all = await readPages((after) => names.versions(of, { after, limit }))
      assert.deepEqual(all, saved.toReversed())
      const listed = await readPages((after) => names.list(of.owner, { after, limit }))
      assert.deepEqual(listed.map((it) => it.name).toSorted(), texts.toSorted())
    },
    { numRuns: 5 },
  ),
  {
    name: 'finds the version of a name that a token is, and none of another name',
    holds: async (names) => {
      const of = newName()
      const other = { ...of, name: name('bob') }
      const [[first, last], strange] = [
        await saveMany(names, of, 2),
        await save(names, requestFor(other)),
      ]
      assert.ok(first !== undefined && last !== undefined)
      for (const it of [first, last]) assert.deepEqual(await names.versionOf(of, it.tokenId), it)
      assert.equal(await names.versionOf(of, strange.tokenId), undefined)
      assert.equal(await names.versionOf(newName(), first.tokenId), undefined)
      await names.forget(of)
      assert.equal(await names.versionOf(of, first.tokenId), undefined)
    },
  },
  {
    name: 'renames a name with all its versions, but to none that is taken',
    holds: async (names) => {
      const of = newName()
      const saved = await saveMany(names, of, 2)
      const to = { ...of, name: name('ada/new') }
      await names.rename(of, to.name)
      assert.equal(await names.find(of), undefined)
      const { items } = await names.versions(to, { limit: 10 })
      assert.deepEqual(items, saved.toReversed())
      await names.rename(to, to.name)
      assert.equal((await names.find(to))?.last.version, 2)
      await save(names, requestFor(of))
      await refuses('name/taken', names.rename(of, to.name))
      const held = await holdNew(names, requestFor(to))
      await refuses('name/held', names.rename(to, name('bob')))
      const version = await mint(names, held)
      assert.deepEqual((await names.find(to))?.last, version)
    },
  },
  {
    name: 'forgets a name with all its versions',
    holds: async (names) => {
      const of = newName()
      await saveMany(names, of, 2)
      const held = await holdNew(names, requestFor(of))
      await refuses('name/held', names.forget(of))
      await names.release(held.id)
      await names.forget(of)
      assert.equal(await names.find(of), undefined)
      await refuses('name/not-found', names.versions(of, { limit: 10 }))
      await save(names, requestFor(of, { after: tokenId(0n) }))
      assert.equal((await names.versions(of, { limit: 10 })).items.length, 1)
    },
  },
  {
    name: 'refuses to forget a name with another last version with `name/moved`',
    holds: async (names) => {
      const of = newName()
      const [first, second] = await saveMany(names, of, 2)
      assert.ok(first !== undefined && second !== undefined)
      await refuses('name/moved', names.forget(of, first.tokenId))
      assert.equal((await names.find(of))?.last.tokenId, second.tokenId)
      await names.forget(of, second.tokenId)
      const anew = await save(names, requestFor(of, { after: tokenId(0n) }))
      await refuses('name/moved', names.forget(of, second.tokenId))
      assert.equal((await names.find(of))?.last.tokenId, anew.tokenId)
    },
  },
]

type Pages<Item> = (
  after: string | undefined,
) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>

async function readPages<Item>(read: Pages<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  let after: string | undefined
  do {
    const { items, next } = await read(after)
    all.push(...items)
    after = next
  } while (after !== undefined)
  return all
}
