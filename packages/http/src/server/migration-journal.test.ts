import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, digest, hash, type MigratingToken, noPrices, tokenId } from '@heirloom/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type JournalLine, openJournal, stateOf } from './migration-journal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const agent = account(`0x${'a1'.repeat(20)}`)
const [one, two] = [tokenId(1n), tokenId(2n)]
const txHash = (byte: string) => `0x${byte.repeat(32)}` as const
const token: MigratingToken = {
  tokenId: one,
  creator: agent,
  owner: agent,
  parent: undefined,
  royaltyBps: undefined,
  contentHash: hash(txHash('0c')),
  digest: digest(txHash('0d')),
  obstacle: undefined,
  rentals: [],
  terms: { ...noPrices, forkRoyaltyBps: 0 },
}
const registry = { chainId: 1, address: agent }
const mint = { kind: 'mint', creator: agent, tokens: [one, two] } as const
const lines: readonly JournalLine[] = [
  {
    kind: 'round',
    from: registry,
    to: registry,
    moved: [],
    lostRentals: 0,
    cutOff: { block: 9n, hash: txHash('0b'), at: 7 },
    signers: [agent],
    listings: 'all',
    tokens: [token, { ...token, tokenId: two, parent: one }],
  },
  { kind: 'sent', step: mint, digests: [], raw: '0x01', txHash: txHash('01'), calls: 1 },
  { kind: 'ended', txHash: txHash('01'), outcome: 'failed' },
  { kind: 'sent', step: mint, digests: [], raw: '0x02', txHash: txHash('02'), calls: 1 },
  { kind: 'ended', txHash: txHash('02'), outcome: 'done', ids: [tokenId(5n), tokenId(6n)] },
  { kind: 'noted', step: { kind: 'list', owner: agent, tokens: [one] } },
  { kind: 'finished' },
]

/** Writes a journal of these lines, and returns its text. */
function write(all: readonly JournalLine[]): string {
  const journal = openJournal(folder)
  for (const line of all) journal.append(line)
  return readFileSync(join(folder, 'migration.jsonl'), 'utf8')
}

describe('a journal', () => {
  test('says after a reopening what it said before', () => {
    for (const line of lines) {
      const journal = openJournal(folder)
      journal.append(line)
      expect(openJournal(folder).state()).toEqual(journal.state())
    }
    expect(openJournal(folder).state()).toEqual(stateOf(lines))
    const { progress, pending, failures, isFinished } = stateOf(lines)
    expect([...progress.moved]).toEqual([
      [one, 5n],
      [two, 6n],
    ])
    expect([pending, failures, isFinished]).toEqual([undefined, 0, true])
  })

  test('ignores a line that was not written to its end, and goes on behind the last whole one', () => {
    const text = write(lines)
    for (const length of [0, 1, 40, text.length - 2, text.length - 20]) {
      writeFileSync(join(folder, 'migration.jsonl'), text.slice(0, length))
      const whole = text.slice(0, length).split('\n').length - 1
      const journal = openJournal(folder)
      expect(journal.state()).toEqual(stateOf(lines.slice(0, whole)))
      for (const line of lines.slice(whole)) journal.append(line)
      expect(readFileSync(join(folder, 'migration.jsonl'), 'utf8')).toBe(text)
    }
  })

  test('refuses a damaged line, and names it', () => {
    const [first = '', ...others] = write(lines).split('\n')
    const damaged = [first, 'x', ...others].join('\n')
    writeFileSync(join(folder, 'migration.jsonl'), damaged)
    expect(() => openJournal(folder)).toThrow(/migration\.jsonl is damaged in line 2/)
  })
})
