import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedChain } from './embedded-chain.ts'
import { type Journal, openJournal } from './journal.ts'
import { history, send } from './test/requests.ts'
import { noon, opened, threeTransfers } from './test/test-chain.ts'
import { temporaryFolder } from './test/temporary-folder.ts'
import { keyOf, signed } from './test/transactions.ts'

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
  test('between the journal and the chain loses nothing it journaled', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    const raw = await signed({ nonce: 3 })
    withJournal(folder, (journal) => {
      const parent = journal.head()?.hash as Hex
      journal.add({ number: 4, parent, timestamp: noon / 1000 + 5, raw })
    })
    const after = await history(await opened(folder))
    expect(after.slice(0, 4)).toEqual(before)
    expect(after).toHaveLength(5)
  })

  test('before a refused transaction was removed leaves no trace of it', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    const raw = await signed({ nonce: 9 })
    withJournal(folder, (journal) => {
      const parent = journal.head()?.hash as Hex
      journal.add({ number: 4, parent, timestamp: noon / 1000, raw })
    })
    const chain = await opened(folder)
    expect(await history(chain)).toEqual(before)
    await chain.close()
    expect(withJournal(folder, (journal) => journal.last())).toBe(3)
  })

  test('before it noted the block it reached comes to the same block', async () => {
    const folder = temporaryFolder()
    const before = await threeTransfers(folder)
    withJournal(folder, (journal) => {
      journal.reach({ number: 2, hash: journal.entry(3)?.parent as Hex })
    })
    expect(await history(await opened(folder))).toEqual(before)
  })

  test('during its first start finds a chain to start with', async () => {
    const folder = temporaryFolder()
    withJournal(folder, () => undefined)
    expect(await history(await opened(folder))).toHaveLength(1)
  })
})

describe('a journal that was altered', () => {
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
    ['an entry taken out', 'DELETE FROM entry WHERE number = 2'],
    ['the last entry taken off', 'DELETE FROM entry WHERE number = 3'],
    ['the last entry replaced', `UPDATE entry SET raw = x'c0' WHERE number = 3`],
    ['the block it reached', `UPDATE head SET hash = ${otherHash}`],
    ['the genesis', 'UPDATE genesis SET genesisTime = genesisTime - 1'],
    ['the genesis accounts', `UPDATE genesis SET accounts = '[]'`],
  ])('is refused and left as it is: %s', async (_, alteration) => {
    const folder = temporaryFolder()
    await threeTransfers(folder)
    const db = new DatabaseSync(join(folder, 'chain.sqlite'))
    db.exec(alteration)
    db.close()
    const last = withJournal(folder, (journal) => journal.last())
    await expect(opened(folder)).rejects.toMatchObject({
      code: 'journal/diverged',
      facts: {
        entry: expect.any(Number),
        expected: expect.any(String),
        actual: expect.any(String),
      },
    })
    expect(withJournal(folder, (journal) => journal.last())).toBe(last)
  })

  test('is refused as a folder when it is no database', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'chain.sqlite'), 'A text where a database should be. '.repeat(100))
    await expect(opened(folder)).rejects.toMatchObject({ code: 'folder/unusable' })
  })

  test('is refused as a folder when a later version wrote it', async () => {
    const folder = temporaryFolder()
    await threeTransfers(folder)
    const db = new DatabaseSync(join(folder, 'chain.sqlite'))
    db.exec('PRAGMA user_version = 2')
    db.close()
    await expect(opened(folder)).rejects.toMatchObject({
      code: 'folder/unusable',
      facts: { folder, problem: 'its chain has the unknown format 2' },
    })
  })
})

const keys = [
  ['as recorded', undefined],
  ['signed anew', keyOf(0)],
] as const

describe.each(keys)(
  'a history longer than what is mined at once, %s',
  { timeout: 30_000 },
  (_, key) => {
    const blocks = 503
    const original = mkdtempSync(join(tmpdir(), 'heirloom-chain-'))
    let before: readonly string[] = []

    beforeAll(async () => {
      const chain = await embeddedChain({ folder: original, now: () => noon, funded: [] })
      const nonces = Array.from({ length: blocks }, (_, nonce) => nonce)
      const raws = await Promise.all(nonces.map((nonce) => signed({ nonce })))
      await Promise.all(raws.map((raw) => send(chain, raw)))
      before = await history(chain)
      await chain.close()
    }, 60_000)
    afterAll(() => rmSync(original, { recursive: true }))

    function long(): string {
      const folder = temporaryFolder()
      cpSync(original, folder, { recursive: true })
      return folder
    }

    test('comes back, without the transaction at its end that was refused', async () => {
      const folder = long()
      const refused = [await signed({ nonce: 999 }), '0xc0'] as const
      for (const raw of refused) {
        withJournal(folder, (journal) => {
          const parent = journal.head()?.hash as Hex
          journal.add({ number: blocks + 1, parent, timestamp: noon / 1000, raw })
        })
        const chain = await opened(folder, undefined, key)
        expect(await history(chain)).toEqual(before)
        await chain.close()
        expect(withJournal(folder, (journal) => journal.last())).toBe(blocks)
      }
    })

    test.each([
      ['a transaction', `raw = (SELECT raw FROM entry WHERE number = 1)`, 350, /^Nonce too low/],
      ['a transaction that is none', `raw = x'c0'`, 350, 'input too short'],
      ['the time of a block', 'timestamp = timestamp + 1', 350, /^0x/],
      ['the parent of a block', `parent = '0x${'11'.repeat(32)}'`, 349, /^0x/],
    ])('is refused at the block that was altered: %s', async (_, alteration, entry, actual) => {
      const folder = long()
      const db = new DatabaseSync(join(folder, 'chain.sqlite'))
      db.exec(`UPDATE entry SET ${alteration} WHERE number = 350`)
      db.close()
      await expect(opened(folder, undefined, key)).rejects.toMatchObject({
        code: 'journal/diverged',
        facts: { entry, actual: expect.stringMatching(actual) },
      })
      expect(withJournal(folder, (journal) => journal.last())).toBe(blocks)
    })
  },
)

test('a refused transaction leaves no entry', async () => {
  const folder = temporaryFolder()
  const chain = await opened(folder)
  for (const nonce of [1, 9]) await expect(send(chain, await signed({ nonce }))).rejects.toThrow()
  await chain.close()
  expect(withJournal(folder, (journal) => journal.last())).toBe(0)
})

test('a closed chain leaves nothing beside its database', async () => {
  const folder = temporaryFolder()
  await threeTransfers(folder)
  expect(existsSync(join(folder, 'chain.sqlite-wal'))).toBe(false)
})
