import {
  account,
  digest,
  Failure,
  type HoldResult,
  hash,
  instant,
  name,
  type SaveRequest,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { memoryNames, namesLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { batchedAddJob } from '../../ledger/nonce-lane/add-job.ts'
import type { JobRow } from '../../ledger/nonce-lane/job-row.ts'
import { sqliteStore } from '../sqlite.ts'
import type { Store } from '../store.ts'
import { nameRecovery } from './recover-name.ts'
import { type SavesByGrants, type SqlNames, sqlNames } from './sql-names.ts'

const ada = account(`0x${'1'.repeat(40)}`)
const registry = { chainId: 1, address: ada }
const nobody = async () => undefined

const stores = new Map<object, Store>()

describeLaws('sqlNames in SQLite', namesLaws, {
  open: async () => {
    const store = await sqliteStore(':memory:')
    const names = sqlNames(store, { registry, findMinted: nobody })
    stores.set(names, store)
    return names
  },
  close: async (names) => stores.get(names)?.close(),
})

const of = { owner: 'key ci', name: name('ada') }
const request: SaveRequest = { ...of, savedBy: 'ci' }
const hex = (byte: string) => `0x${byte.repeat(32)}`
const sealed = {
  contentHash: hash(hex('11')),
  digest: digest(hex('22')),
  creator: ada,
  recipient: ada,
  documentBytes: 10,
  storedBytes: 20,
}

const job = (id: string, row: Partial<JobRow> = {}): JobRow => ({
  id,
  lane: 'lane',
  operation: 'mint',
  to: '0x',
  data: '0x',
  value: '0',
  key: null,
  fingerprint: null,
  budget: null,
  state: 'queued',
  nonce: null,
  txHash: null,
  outcome: null,
  acceptedAt: 5,
  requestId: null,
  traceparent: null,
  ...row,
})

/** Opens a store, and names in it as another process has them after a restart. */
async function openStore(findMinted: () => Promise<TokenId | undefined> = nobody) {
  const store = await sqliteStore(':memory:')
  onTestFinished(store.close)
  const open = (patience = 200, byGrants?: SavesByGrants) =>
    sqlNames(store, { registry, findMinted, patience, byGrants })
  const add = batchedAddJob(store, () => undefined)
  /** Saves up to the stored job of the mint, and no further. */
  const begin = async (names: SqlNames, row = job('mint'), of = request) => {
    const held = await holdNew(names, of)
    await names.note(held.id, sealed)
    await add(row, held.id)
    return held
  }
  const end = (row: Partial<JobRow>) =>
    store.db.updateTable('job').set(row).where('id', '=', 'mint').execute()
  return { store, open, add, begin, end }
}

async function holdNew(
  names: SqlNames,
  of = request,
): Promise<Extract<HoldResult, { kind: 'held' }>> {
  const held = await names.hold(of)
  if (held.kind !== 'held') throw new Error('It was saved before.')
  return held
}

const done = { state: 'done', outcome: '{"tokenId":"7"}', txHash: '0x12' } as const

describe('a save whose process was killed', () => {
  test('before its mint began gives way, and mints nothing later', async () => {
    const { open, add, store } = await openStore()
    const killed = await holdNew(open())
    const after = open()
    const next = await holdNew(after)
    await expect(add(job('late'), killed.id)).rejects.toMatchObject({ code: 'name/moved' })
    expect(await store.db.selectFrom('job').selectAll().execute()).toEqual([])
    await expect(after.note(killed.id, sealed)).rejects.toMatchObject({ code: 'name/moved' })
    await after.note(next.id, sealed)
    await add(job('mint'), next.id)
    const minted = { tokenId: tokenId(1n), txHash: undefined, acceptedAt: instant(1) }
    expect(await after.move(next.id, minted)).toMatchObject({ version: 1, tokenId: 1n })
  })

  test.each([
    ['is minted', done, 7n],
    [
      'failed',
      { state: 'failed', outcome: '{"code":"wallet/short","facts":{}}' } as const,
      undefined,
    ],
  ])('once its token %s', async (_, row, token) => {
    const { open, begin, end } = await openStore()
    await begin(open())
    await end(row)
    const after = open()
    const unseen = token === undefined ? undefined : 'name/moved'
    // Whoever does not know of it does not save over it.
    const held = await open()
      .hold(request)
      .catch(({ code }) => code)
    expect(held.kind).toBe(unseen === undefined ? 'held' : undefined)
    expect((await after.find(of))?.last.tokenId).toBe(token)
  })

  test.each([7n, undefined])('with a job that is gone moves to what is minted: %s', async (id) => {
    const found = id === undefined ? undefined : tokenId(id)
    const { open, begin, store } = await openStore(async () => found)
    await begin(open())
    await store.db.deleteFrom('job').execute()
    expect((await open().find(of))?.last).toEqual(
      found && {
        ...sealed,
        tokenId: found,
        txHash: undefined,
        version: 1,
        savedBy: 'ci',
        savedAt: expect.any(Number),
      },
    )
  })

  test('holds the name of a mint that was signed and failed until the chain has decided it', async () => {
    const { open, begin, end } = await openStore()
    await begin(open())
    await end({
      state: 'failed',
      nonce: 3,
      data: '0x12',
      outcome: '{"code":"transaction/reverted","facts":{}}',
    })
    await expect(open().hold(request)).rejects.toMatchObject({ code: 'name/held' })
    await end({ data: '0x' })
    expect((await open().hold(request)).kind).toBe('held')
  })

  test('holds the name while its mint is not decided', async () => {
    const { open, begin, end, store } = await openStore(() => Promise.reject(new Error('no chain')))
    await begin(open())
    const after = open()
    expect(await after.find(of)).toBeUndefined()
    await expect(after.hold(request)).rejects.toMatchObject({ code: 'name/held' })
    await expect(after.forget(of)).rejects.toMatchObject({ code: 'name/held' })
    const loser = open(10_000).hold(request)
    const moved = { code: 'name/moved', facts: { name: 'ada', tokenId: 7n, version: 1 } }
    await Promise.all([end(done), expect(loser).rejects.toMatchObject(moved)])
    // Without its job it is decided by the chain alone.
    const again = await holdNew(after)
    await after.note(again.id, sealed)
    await store.db
      .updateTable('nameVersion')
      .set({ state: 'minting', job: 'gone' })
      .where('id', '=', again.id)
      .execute()
    await expect(after.rename(of, name('bob'))).rejects.toMatchObject({ code: 'name/held' })
  })
})

describe('a save by a grant that nobody waits for any more', () => {
  const grant = hash(hex('99'))
  const granted = { ...request, grant, idempotency: { key: 'key', fingerprint: 'one' } }
  const first = { tokenId: tokenId(1n), txHash: undefined, acceptedAt: instant(1) }

  /** Saves a first version, and by a grant a second one whose mint ends after its process. */
  async function beginGranted() {
    const opened = await openStore()
    const names = opened.open()
    const held = await holdNew(names)
    await names.note(held.id, sealed)
    await names.move(held.id, first)
    await opened.begin(names, job('mint'), granted)
    await opened.end(done)
    return opened
  }

  const deciding = (act: SavesByGrants['maySave']) => {
    const refused: TokenId[] = []
    const byGrants: SavesByGrants = { maySave: act, onRefused: (it) => void refused.push(it) }
    return { byGrants, refused }
  }

  test('is a version where its grant still counts, for the name as it is', async () => {
    const { open } = await beginGranted()
    const seen: unknown[] = []
    const { byGrants, refused } = deciding(async (id, { versionOf }) => {
      seen.push(id, (await versionOf(of, first.tokenId))?.version)
      return true
    })
    const names = open(200, byGrants)
    expect((await names.find(of))?.last).toMatchObject({ tokenId: 7n, version: 2 })
    expect([seen, refused]).toEqual([[grant, 1], []])
  })

  test('is none where it has ended, for good; the next save goes on after the last version', async () => {
    const { open, store } = await beginGranted()
    const { byGrants, refused } = deciding(async () => false)
    const names = open(200, byGrants)
    expect((await names.find(of))?.last.tokenId).toBe(first.tokenId)
    expect(await names.versionOf(of, tokenId(7n))).toBeUndefined()
    expect(refused).toEqual([7n])
    const again = open(200, deciding(async () => true).byGrants)
    expect(await again.hold(granted)).toMatchObject({ kind: 'held', last: { tokenId: 1n } })
    expect(await nameRecovery(store, registry).refused()).toEqual([7n])
  })

  test('waits while nobody knows of the grant: it moves nothing, and nobody else saves', async () => {
    const { open } = await beginGranted()
    const { byGrants } = deciding(() =>
      Promise.reject(new Failure('grant/unavailable', { operation: 'find' })),
    )
    for (const names of [open(), open(200, byGrants)]) {
      expect((await names.find(of))?.last.tokenId).toBe(first.tokenId)
      await expect(names.hold(request)).rejects.toMatchObject({ code: expect.any(String) })
    }
    const sure = deciding(async () => true)
    expect((await open(200, sure.byGrants).find(of))?.last.tokenId).toBe(7n)
  })
})

describe('a seal that holds a name', () => {
  test('is not waited for, and moves the name when its token is found', async () => {
    let minted: TokenId | undefined
    const { open, store } = await openStore(async () => minted)
    const names = open(10_000)
    const held = await names.holdForSeal(request, 'seal')
    if (held.kind !== 'held') throw new Error('It was saved before.')
    await names.note(held.id, sealed)
    const { contentHash, digest: blob, creator, recipient } = sealed
    await store.db
      .insertInto('seal')
      .values({
        id: 'seal',
        state: 'unminted',
        registry: '1:0x',
        creator,
        client: '',
        proof: 'p',
        key: null,
        body: '',
        bytes: 1,
        contentHash,
        digest: blob,
        card: null,
        recipient,
        parent: null,
        storedAt: 1,
        expiresAt: 99,
      })
      .execute()
    await expect(names.hold(request)).rejects.toMatchObject({
      code: 'name/held',
      facts: { name: 'ada', until: 99 },
    })
    minted = tokenId(3n)
    // Its wallet saves again, and nobody has read the name since.
    expect(await names.hold(request)).toMatchObject({ last: { tokenId: 3n, version: 1 } })
    expect(await names.find(of)).toMatchObject({ last: { tokenId: 3n, version: 1 } })
  })

  test('gives it up where it expires', async () => {
    const { open } = await openStore()
    await open().holdForSeal(request, 'expired and forgotten')
    const names = open()
    expect(await names.hold(request)).toMatchObject({ kind: 'held' })
    expect(await names.find(of)).toBeUndefined()
  })
})

test('the fake and the table agree on the rows of many saves', async () => {
  const { open } = await openStore()
  const both = [open(), memoryNames()]
  const pages = await Promise.all(
    both.map(async (names) => {
      for (const at of [1n, 2n, 3n]) {
        const held = await names.hold(request)
        if (held.kind !== 'held') throw new Error('It was saved before.')
        await names.note(held.id, sealed)
        await names.move(held.id, { tokenId: tokenId(at), txHash: '0x1', acceptedAt: instant(9) })
      }
      return names.versions(of, { limit: 2 })
    }),
  )
  expect(pages[0]).toEqual(pages[1])
})

test('names that seals hold hide no others in the pages of a list', async () => {
  const { open } = await openStore()
  const names = open()
  const saved = await names.hold({ ...request, name: name('z') })
  if (saved.kind !== 'held') throw new Error('It was saved before.')
  await names.note(saved.id, sealed)
  await names.move(saved.id, { tokenId: tokenId(7n), txHash: undefined, acceptedAt: instant(5) })
  for (const held of ['a', 'b', 'c'])
    await names.holdForSeal({ ...request, name: name(held) }, held)
  const found: string[] = []
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const { items, next } = await names.list(of.owner, { limit: 2, after })
    found.push(...items.map((it) => it.name))
    after = next
  }
  expect(found).toEqual(['z'])
})

test('a name that was never saved leaves nothing behind', async () => {
  const { open, store } = await openStore()
  const names = open()
  const held = await holdNew(names)
  const [first] = await Promise.all([names.hold(request), names.release(held.id)])
  if (first.kind !== 'held') throw new Error('It was saved before.')
  await names.release(first.id)
  for (const table of ['memoryName', 'nameVersion'] as const)
    expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([])
})
