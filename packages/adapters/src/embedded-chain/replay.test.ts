import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedChain } from './embedded-chain.ts'
import { type Journal, openJournal } from './journal.ts'
import { history, send } from './test/requests.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { noon, openTestChain, threeTransfers } from './test/test-chain.ts'
import { keyOf, signTransaction } from './test/transactions.ts'

const genesis = { chainId: 31337, genesisTime: noon / 1000, accounts: [] }

function withJournal<T>(folder: string, use: (journal: Journal) => T): T {
  const journal = openJournal({ folder, genesis })
  try {
    return use(journal)
  } finally {
    journal.close()
  }
}

describe('a process that ends', () => {
  test('after it journaled a transaction, before it mined it, loses nothing', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    const raw = await signTransaction({ nonce: 3 })
    withJournal(folder, (journal) => {
      const parent = journal.head()?.hash as Hex
      journal.add({ number: 4, parent, timestamp: noon / 1000 + 5, raw })
    })
    const after = await history(await openTestChain(folder))
    expect(after.slice(0, 4)).toEqual(before)
    expect(after).toHaveLength(5)
  })

  test('before it removed a rejected transaction leaves no trace of it', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    const raw = await signTransaction({ nonce: 9 })
    withJournal(folder, (journal) => {
      const parent = journal.head()?.hash as Hex
      journal.add({ number: 4, parent, timestamp: noon / 1000, raw })
    })
    const chain = await openTestChain(folder)
    expect(await history(chain)).toEqual(before)
    await chain.close()
    expect(withJournal(folder, (journal) => journal.last())).toBe(3)
  })

  test('before it stored the head replays to the same block', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    withJournal(folder, (journal) => {
      journal.saveHead({ number: 2, hash: journal.entry(3)?.parent as Hex })
    })
    expect(await history(await openTestChain(folder))).toEqual(before)
  })

  test('during its first start leaves a chain that opens', async () => {
    const folder = temporaryFolder()
    withJournal(folder, () => undefined)
    expect(await history(await openTestChain(folder))).toHaveLength(1)
  })
})

describe('an altered journal', () => {
  const otherHash = `'0x${'11'.repeat(32)}'`
  test.each([
    [
      'a transaction',
      `UPDATE entry SET raw = (SELECT raw FROM entry WHERE number = 1) WHERE number = 2`,
    ],
    ['the time of a block', 'UPDATE entry SET timestamp = timestamp + 1 WHERE number = 2'],
    ['the time of the last block', 'UPDATE entry SET timestamp = timestamp + 1 WHERE number = 3'],
    ['a time before its parent', 'UPDATE entry SET timestamp = 1 WHERE number = 3'],
    ['a parent', `UPDATE entry SET parent = ${otherHash} WHERE number = 2`],
    ['a removed entry', 'DELETE FROM entry WHERE number = 2'],
    ['the removed last entry', 'DELETE FROM entry WHERE number = 3'],
    ['the replaced last entry', `UPDATE entry SET raw = x'c0' WHERE number = 3`],
    ['the head', `UPDATE head SET hash = ${otherHash}`],
    ['the genesis', 'UPDATE genesis SET genesisTime = genesisTime - 1'],
    ['the genesis accounts', `UPDATE genesis SET accounts = '[]'`],
  ])('is refused and not changed: %s', async (_, alteration) => {
    const folder = temporaryFolder()
    await threeTransfers(folder)
    const db = new DatabaseSync(join(folder, 'chain.sqlite'))
    db.exec(alteration)
    db.close()
    const last = withJournal(folder, (journal) => journal.last())
    await expect(openTestChain(folder)).rejects.toMatchObject({
      code: 'journal/diverged',
      facts: {
        entry: expect.any(Number),
        expected: expect.any(String),
        actual: expect.any(String),
      },
    })
    expect(withJournal(folder, (journal) => journal.last())).toBe(last)
  })

  test('makes the folder unusable when it is not a database', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'chain.sqlite'), 'A text where a database should be. '.repeat(100))
    await expect(openTestChain(folder)).rejects.toMatchObject({ code: 'folder/unusable' })
  })

  test('makes the folder unusable when a later version wrote it', async () => {
    const folder = temporaryFolder()
    await threeTransfers(folder)
    const db = new DatabaseSync(join(folder, 'chain.sqlite'))
    db.exec('PRAGMA user_version = 2')
    db.close()
    await expect(openTestChain(folder)).rejects.toMatchObject({
      code: 'folder/unusable',
      facts: {
        folder,
        problem: expect.stringMatching(/^its chain has the unknown format 2; run the version/),
      },
    })
  })
})

const keys = [
  ['as recorded', undefined],
  ['signed again', keyOf(0)],
] as const

describe.each(keys)('a history longer than one run, %s', (_, key) => {
  const blocks = 503
  const original = mkdtempSync(join(tmpdir(), 'heirloom-chain-'))
  let before: readonly string[] = []

  beforeAll(async () => {
    const chain = await embeddedChain({ folder: original, now: () => noon, funded: [] })
    const nonces = Array.from({ length: blocks }, (_, nonce) => nonce)
    const raws = await Promise.all(nonces.map((nonce) => signTransaction({ nonce })))
    await Promise.all(raws.map((raw) => send(chain, raw)))
    before = await history(chain)
    await chain.close()
  })
  afterAll(() => rmSync(original, { recursive: true }))

  function copyOfLongHistory(): string {
    const folder = temporaryFolder()
    cpSync(original, folder, { recursive: true })
    return folder
  }

  test('is replayed without the rejected transaction at its end', async () => {
    const folder = copyOfLongHistory()
    const refused = [await signTransaction({ nonce: 999 }), '0xc0'] as const
    for (const raw of refused) {
      withJournal(folder, (journal) => {
        const parent = journal.head()?.hash as Hex
        journal.add({ number: blocks + 1, parent, timestamp: noon / 1000, raw })
      })
      const chain = await openTestChain(folder, undefined, key)
      expect(await history(chain)).toEqual(before)
      await chain.close()
      expect(withJournal(folder, (journal) => journal.last())).toBe(blocks)
    }
  })

  test.each([
    ['a transaction', `raw = (SELECT raw FROM entry WHERE number = 1)`, 350, /^Nonce too low/],
    ['an invalid transaction', `raw = x'c0'`, 350, 'input too short'],
    ['the time of a block', 'timestamp = timestamp + 1', 350, /^0x/],
    ['the parent of a block', `parent = '0x${'11'.repeat(32)}'`, 349, /^0x/],
  ])('is refused at the block that was altered: %s', async (_, alteration, entry, actual) => {
    const folder = copyOfLongHistory()
    const db = new DatabaseSync(join(folder, 'chain.sqlite'))
    db.exec(`UPDATE entry SET ${alteration} WHERE number = 350`)
    db.close()
    await expect(openTestChain(folder, undefined, key)).rejects.toMatchObject({
      code: 'journal/diverged',
      facts: { entry, actual: expect.stringMatching(actual) },
    })
    expect(withJournal(folder, (journal) => journal.last())).toBe(blocks)
  })
})

test('a rejected transaction leaves no entry', async () => {
  const folder = temporaryFolder()
  const chain = await openTestChain(folder)
  for (const nonce of [1, 9])
    await expect(send(chain, await signTransaction({ nonce }))).rejects.toThrow()
  await chain.close()
  expect(withJournal(folder, (journal) => journal.last())).toBe(0)
})

test('a closed chain leaves no other file beside its database', async () => {
  const folder = temporaryFolder()
  await threeTransfers(folder)
  expect(existsSync(join(folder, 'chain.sqlite-wal'))).toBe(false)
})
