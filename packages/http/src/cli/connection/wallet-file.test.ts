import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import {
  createSpendCount,
  memoryStore,
  type StoredOrder,
  type WalletStore,
} from '@heirloom/adapters/internal/wallet'
import type { Hex } from '@heirloom/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { walletFile } from './wallet-file.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'wallet-file-')), 'state')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const address = `0x${'a1'.repeat(20)}` as const
const marketplace = `0x${'c3'.repeat(20)}` as const
const open = (chainId = 1, of: Hex = address, at: Hex = marketplace): WalletStore =>
  walletFile(folder)({ chainId, address: of, marketplace: at })
const [file, mark] = ['wallet.sqlite', 'wallet.mark'] as const

const day = 86_400_000
const perDay = 100n

/** Returns the count of a process, which was started at a time. */
const countAt = (now: number, store = open()) =>
  createSpendCount({
    limits: { perDay },
    currency: 'dollar',
    now: () => now,
    store: store.spending,
  })

describe.each([
  ['in memory', () => memoryStore()],
  ['in a file', () => open()],
])('a count %s', (_, make) => {
  test('never lets more be spent on a day than its limit, whenever the clock is set', () => {
    const act = fc.record({
      at: fc.integer({ min: -3, max: 3 }),
      needed: fc.bigInt({ min: 0n, max: 120n }),
      spent: fc.bigInt({ min: 0n, max: 120n }),
    })
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        rmSync(folder, { recursive: true, force: true })
        playDays(make(), acts)
      }),
      { numRuns: 40 },
    )
  })
})

type DayAct = { readonly at: number; readonly needed: bigint; readonly spent: bigint }

/** Spends at times, and compares what counts with the sum for the newest day so far. */
function playDays(store: WalletStore, acts: readonly DayAct[]): void {
  const onDay = new Map<number, bigint>()
  let newest = Number.NEGATIVE_INFINITY
  for (const { at, needed, spent } of acts) {
    const counted = Math.max(newest, 20_000 + at)
    const before = onDay.get(counted) ?? 0n
    const count = countAt((20_000 + at) * day, store)
    expect(count.state().spentToday).toBe(`${before}`)
    if (before + needed > perDay) {
      expect(() => count.reserve(needed)).toThrow()
      continue
    }
    newest = counted
    const used = spent % (needed + 1n)
    count.reserve(needed).settle(used)
    onDay.set(counted, before + used)
  }
}

test('what one process spent, and what it had reserved when it was killed, counts in the next', () => {
  const first = countAt(20_000 * day)
  first.reserve(60n).settle(20n)
  first.reserve(70n)
  const next = countAt(20_000 * day)
  expect(next.state().spentToday).toBe('90')
  expect(() => next.reserve(11n)).toThrow(expect.objectContaining({ code: 'wallet/day-limit' }))
  next.reserve(10n)
  expect(countAt(20_001 * day).state().spentToday).toBe('0')
})

test('wallets and chains count apart, and so does what has no limit', () => {
  countAt(20_000 * day).reserve(100n)
  expect(countAt(20_000 * day, open(2)).state().spentToday).toBe('0')
  expect(countAt(20_000 * day, open(1, `0x${'b2'.repeat(20)}`)).state().spentToday).toBe('0')
  const byHand = createSpendCount({
    limits: {},
    currency: 'native',
    now: () => 20_000 * day,
    store: open().spending,
  })
  byHand.reserve(10n ** 30n).settle(5n)
  const limited = { limits: { perDay }, currency: 'native', now: () => 20_000 * day } as const
  createSpendCount({ ...limited, store: open().spending }).reserve(100n)
})

test('processes at once spend no more than the limit together', async () => {
  countAt(20_000 * day).reserve(0n)
  const script = `
    const { walletFile } = await import(${JSON.stringify(join(import.meta.dirname, 'wallet-file.ts'))})
    const { spending } = walletFile(${JSON.stringify(folder)})({ chainId: 1, address: '${address}', marketplace: '${marketplace}' })
    let made = 0
    for (let turn = 0; turn < 60; turn++) {
      if ('id' in spending.reserve({ currency: 'dollar', day: 20000, needed: 1n, limit: 100n })) made++
    }
    console.log(made)`
  const start = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    return Number(await text(child.stdout))
  }
  const made = await Promise.all([start(), start(), start()])
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(countAt(20_000 * day).state().spentToday).toBe('100')
})

describe('a file of a wallet', () => {
  const spend = () => countAt(20_000 * day).reserve(1n)

  test('is for its owner alone, also when it was open before', () => {
    spend()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of [file, mark]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    chmodSync(join(folder, file), 0o644)
    spend()
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  })

  const ends: Readonly<Record<string, () => void>> = {
    'is gone': () => rmSync(join(folder, file)),
    'is empty': () => truncateSync(join(folder, file)),
    'is cut short': () => truncateSync(join(folder, file), 6_000),
    'is no database': () => writeFileSync(join(folder, file), 'x'.repeat(20_000)),
    'has zeros in its middle': () => {
      const bytes = readFileSync(join(folder, file))
      writeFileSync(join(folder, file), bytes.fill(0, 4_096, 12_288))
    },
    'is of a newer version': () => {
      const database = new DatabaseSync(join(folder, file))
      database.exec('PRAGMA user_version = 9')
      database.close()
    },
    'counts an amount that is no number': () => {
      const database = new DatabaseSync(join(folder, file))
      database.exec("UPDATE spending SET amount = '-5'")
      database.close()
    },
  }
  test.each(Object.entries(ends))('that %s is refused, and nothing is spent', (_, end) => {
    spend()
    end()
    for (const turn of [1, 2]) {
      expect(spend, `${turn}`).toThrow(
        expect.objectContaining({
          code: 'folder/unusable',
          facts: { folder, problem: expect.anything() },
        }),
      )
    }
  })

  test('whose creation a crash cut off is made at the next start', () => {
    spend()
    rmSync(join(folder, mark))
    truncateSync(join(folder, file))
    expect(spend).not.toThrow()
    expect(countAt(20_000 * day).state().spentToday).toBe('1')
  })
})

describe('the orders in a file', () => {
  const hashOf = (text: string) => `0x${text.repeat(64)}` as const
  const order = {
    hash: hashOf('1'),
    since: 5n,
    spendingId: undefined,
    isLate: false,
    act: { kind: 'order', act: 'rent', price: 7n, days: 2, maxRoyaltyBps: 0, tokenId: 3n },
    payment: { validBefore: 9n, payer: address },
  } as unknown as StoredOrder

  test('are those of the last process, and one with another hash does not replace them', () => {
    expect(open().orders.add('key', order)).toBe(true)
    expect(open().orders.get('key')).toEqual({ ...order, spendingId: undefined })
    expect(open().orders.add('key', { ...order, hash: hashOf('2') })).toBe(false)
    expect(open().orders.add('key', { ...order, since: 6n })).toBe(true)
    expect(open(2).orders.get('key')).toBeUndefined()
    expect(open(1, address, address).orders.get('key')).toBeUndefined()
    open().orders.replace('key', { ...order, isLate: true })
    expect(open().orders.all()).toMatchObject([{ since: 5n, isLate: true }])
    open().orders.remove('key', hashOf('2'))
    expect(open().orders.all()).toHaveLength(1)
    open().orders.remove('key', order.hash)
    expect(open().orders.all()).toEqual([])
  })
})
