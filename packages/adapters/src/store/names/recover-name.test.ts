import {
  account,
  digest,
  hash,
  instant,
  type LineToken,
  type Name,
  name,
  type OwnedName,
  recoverLines,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqliteStore } from '../sqlite.ts'
import { nameRecovery } from './recover-name.ts'
import { type SqlNames, sqlNames } from './sql-names.ts'

const creator = account(`0x${'1'.repeat(40)}`)
const registry = { chainId: 1, address: creator }
const owners = ['key ci', 'account 0xab']
const texts = ['ada', 'ben', 'eve'].map(name)

async function openTables() {
  const store = await sqliteStore(':memory:')
  const names = sqlNames(store, { registry, findMinted: async () => undefined })
  return { store, names, recovery: nameRecovery(store, registry) }
}

type Tables = Awaited<ReturnType<typeof openTables>>

const hex = (id: bigint) => `0x${id.toString(16).padStart(64, '0')}`

const contentOf = (id: TokenId) => ({
  contentHash: hash(hex(id)),
  digest: digest(hex(id)),
  creator,
  recipient: creator,
  documentBytes: 1,
  storedBytes: 1,
})

/** Adds to the tables what the tokens have, as the command does. */
async function recover({ recovery }: Tables, tokens: readonly LineToken[]) {
  const { lines, leftOut } = recoverLines(tokens)
  const added: TokenId[] = []
  for (const { of, versions } of lines) {
    const stored = await recovery.compare(of, versions)
    if (stored.kind !== 'begun' || stored.missing.length === 0) continue
    const rows = stored.missing.map((id) => ({
      ...contentOf(id),
      tokenId: id,
      txHash: undefined,
      savedAt: instant(1),
      savedBy: of.owner,
    }))
    expect(await recovery.append(of, stored.versions, rows)).toBe(true)
    added.push(...stored.missing)
  }
  return { added, leftOut: leftOut.flatMap(({ versions }) => versions) }
}

/** Reads all names with the tokens of their versions, the first one first. */
async function readLogs(names: SqlNames) {
  const logs = new Map<string, readonly TokenId[]>()
  for (const owner of owners) {
    for (const { name: text } of (await names.list(owner, { limit: 10 })).items) {
      const { items } = await names.versions({ owner, name: text }, { limit: 100 })
      expect(items.map(({ version }) => version)).toEqual(items.map((_, at) => items.length - at))
      logs.set(`${owner}\n${text}`, items.map((it) => it.tokenId).toReversed())
    }
  }
  return logs
}

type Saving = { readonly of: OwnedName; readonly isRead: boolean }

type Step =
  | ({ readonly act: 'save' } & Saving)
  | { readonly act: 'rename'; readonly of: OwnedName; readonly to: Name }
  | { readonly act: 'forget'; readonly of: OwnedName }
  | { readonly act: 'unnamed' }

const owned = fc.record({ owner: fc.constantFrom(...owners), name: fc.constantFrom(...texts) })
const save = fc.record({
  act: fc.constant('save' as const),
  of: owned,
  isRead: fc.constantFrom(true, true, true, false),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: save, weight: 5 },
  {
    arbitrary: fc.record({
      act: fc.constant('rename' as const),
      of: owned,
      to: fc.constantFrom(...texts),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ act: fc.constant('forget' as const), of: owned }), weight: 1 },
  { arbitrary: fc.constant({ act: 'unnamed' as const }), weight: 1 },
)

/** Saves the next version of a name, and returns its token as a chain has it. */
async function saveNext({ names }: Tables, { of, isRead }: Saving, id: TokenId, first?: TokenId) {
  const held = await names.hold({ ...of, savedBy: 'ci' })
  if (held.kind !== 'held') throw new Error('It was saved before.')
  await names.note(held.id, contentOf(id))
  await names.move(held.id, { tokenId: id, txHash: undefined, acceptedAt: instant(1) })
  const line = isRead ? of : ('unknown' as const)
  return { tokenId: id, parent: held.last?.tokenId ?? first, creator, line }
}

/** Plays steps on the tables, and returns the tokens that a chain has then. */
async function play(tables: Tables, steps: readonly Step[]): Promise<LineToken[]> {
  const { names } = tables
  const tokens: LineToken[] = []
  const ignore = () => undefined
  for (const it of steps) {
    const id = tokenId(BigInt(tokens.length + 1))
    const unnamed = tokens.findLast(({ line }) => line === undefined)?.tokenId
    if (it.act === 'save') tokens.push(await saveNext(tables, it, id, unnamed))
    else if (it.act === 'rename') await names.rename(it.of, it.to).catch(ignore)
    else if (it.act === 'forget') await names.forget(it.of).catch(ignore)
    else tokens.push({ tokenId: id, parent: undefined, creator, line: undefined })
  }
  return tokens
}

/** Returns the logs whose last versions can be read and were saved to the text that they have. */
function knownLogs(logs: ReadonlyMap<string, readonly TokenId[]>, tokens: readonly LineToken[]) {
  return [...logs].filter(([key, log]) => {
    const line = tokens[Number(log.at(-1)) - 1]?.line
    return typeof line === 'object' && `${line.owner}\n${line.name}` === key
  })
}

async function expectRecovered(steps: readonly Step[]): Promise<void> {
  const [before, after] = [await openTables(), await openTables()]
  const tokens = await play(before, steps)
  const logs = await readLogs(before.names)
  const { leftOut } = await recover(after, tokens)
  const recovered = await readLogs(after.names)
  for (const [key, log] of knownLogs(logs, tokens)) {
    expect([key, recovered.get(key)]).toEqual([key, log])
  }
  // Nothing that can be read is lost without a word.
  const listed = new Set([...[...recovered.values()].flat(), ...leftOut])
  const read = tokens.filter(({ line }) => typeof line === 'object')
  expect(read.filter((it) => !listed.has(it.tokenId))).toEqual([])
  expect(await recover(after, tokens)).toEqual({ added: [], leftOut })
  expect(await readLogs(after.names)).toEqual(recovered)
  await recover(before, tokens)
  expect([...(await readLogs(before.names))]).toEqual(expect.arrayContaining([...logs]))
  await Promise.all([before.store.close(), after.store.close()])
}

describe('names that are recovered from the tokens', () => {
  test('have the logs that they had, if they were saved to since they have their text', async () => {
    const law = fc.asyncProperty(fc.array(step, { maxLength: 25 }), expectRecovered)
    await fc.assert(law, { numRuns: 60 })
  })

  test('go on where the tables of a backup end', async () => {
    const law = fc.asyncProperty(
      fc.array(save, { maxLength: 15 }),
      fc.nat(15),
      async (all, cut) => {
        const [whole, backup] = [await openTables(), await openTables()]
        const read = all.map((it) => ({ ...it, isRead: true }))
        const tokens = await play(whole, read)
        await play(backup, read.slice(0, cut))
        await recover(backup, tokens)
        expect(await readLogs(backup.names)).toEqual(await readLogs(whole.names))
        await Promise.all([whole.store.close(), backup.store.close()])
      },
    )
    await fc.assert(law, { numRuns: 20 })
  })
})

const of = { owner: 'key ci', name: name('ada') }
const minted = (id: bigint, parent: bigint | undefined, more: Partial<LineToken> = {}) => ({
  tokenId: tokenId(id),
  creator,
  line: of,
  parent: parent === undefined ? undefined : tokenId(parent),
  ...more,
})

describe('the line of a name', () => {
  test('leaves out a version that was minted after the name moved on', () => {
    const { lines, leftOut } = recoverLines([minted(1n, undefined), minted(2n, 1n), minted(3n, 1n)])
    expect(lines).toEqual([{ of, versions: [1n, 2n] }])
    expect(leftOut).toEqual([{ of, versions: [3n], reason: 'moved-on' }])
  })

  test('has no version of another name that was saved to again', () => {
    const line = { owner: 'key ci', name: name('eve') }
    const tokens = [minted(1n, undefined), minted(2n, 1n, { line }), minted(3n, 1n)]
    expect(recoverLines(tokens).lines).toEqual([
      { of: line, versions: [2n] },
      { of, versions: [1n, 3n] },
    ])
  })

  test('takes nothing unreadable from another creator, and nothing from another owner', () => {
    const stranger = account(`0x${'2'.repeat(40)}`)
    const other = { owner: 'key eve', name: name('ada') }
    const foreign = minted(1n, undefined, { creator: stranger, line: 'unknown' })
    const tokens = [foreign, minted(2n, 1n), minted(3n, 2n, { line: other })]
    expect(recoverLines(tokens).lines.map(({ versions }) => versions)).toEqual([[2n], [3n]])
  })
})

test('a name with other versions, or that a save holds, stays as it is', async () => {
  const tables = await openTables()
  onTestFinished(tables.store.close)
  await play(tables, [{ act: 'save', of, isRead: true }])
  expect(await tables.recovery.compare(of, [tokenId(7n)])).toEqual({ kind: 'different' })
  await tables.names.hold({ ...of, savedBy: 'ci' })
  expect(await tables.recovery.compare(of, [tokenId(1n), tokenId(7n)])).toEqual({ kind: 'held' })
  const row = { ...contentOf(tokenId(7n)), tokenId: tokenId(7n), txHash: undefined }
  const version = { ...row, savedAt: instant(1), savedBy: 'ci' }
  expect(await tables.recovery.append(of, 1, [version])).toBe(false)
})

test('a save by a grant is no version where the next one comes after the same version as it', () => {
  const of = { owner: 'account 0xab', name: name('ada') }
  const id = (number: number) => tokenId(BigInt(number))
  const token = (at: number, parent: number, isGranted = false): LineToken => {
    return {
      tokenId: id(at),
      parent: parent ? id(parent) : undefined,
      creator,
      line: of,
      isGranted,
    }
  }
  const own = [token(1, 0), token(2, 1, true), token(3, 1), token(4, 3)]
  expect(recoverLines(own)).toEqual({
    lines: [{ of, versions: [1, 3, 4].map(id) }],
    leftOut: [{ of, versions: [id(2)], reason: 'moved-on' }],
  })
  // Two readers at once, of whom one was refused; and a late token of the owner, after two of a reader.
  const readers = [
    token(1, 0),
    token(2, 1, true),
    token(3, 1, true),
    token(4, 3, true),
    token(5, 1),
  ]
  expect(recoverLines(readers).lines).toEqual([{ of, versions: [1, 3, 4].map(id) }])
})
