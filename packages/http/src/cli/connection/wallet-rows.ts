import type { DatabaseSync } from 'node:sqlite'
import {
  type OrderStore,
  type SpendStore,
  type StoredOrder,
  spendingInMemory,
} from '@heirloom/adapters/internal/wallet'
import { decodeBigints, encodeBigints } from '../../api/bigint-json.ts'

/** The file of a wallet. */
export type WalletRows = {
  /** Runs an act on the file, and translates what it throws. @throws `folder/unusable` */
  readonly use: <T>(act: (file: DatabaseSync) => T) => T
  /** The chain and the account. */
  readonly wallet: string
}

/**
 * Opens the count of what a wallet spends under a limit of the day, which all processes of the user
 * share. What is spent without such a limit counts in memory, with ids below 0.
 */
export function storedSpending({ use, wallet }: WalletRows): SpendStore {
  const unlimited = spendingInMemory()
  const dayFor = (file: DatabaseSync, currency: string, day: number) => {
    const newest = 'SELECT max(day) AS day FROM spending WHERE wallet = ? AND currency = ?'
    return Math.max(day, Number(file.prepare(newest).get(wallet, currency)?.day ?? day))
  }
  const sumOn = (file: DatabaseSync, currency: string, day: number) => {
    const rows = 'SELECT amount FROM spending WHERE wallet = ? AND currency = ? AND day = ?'
    const amounts = file.prepare(rows).all(wallet, currency, day)
    return amounts.reduce((sum, { amount }) => sum + readAmount(amount), 0n)
  }
  return {
    spentOn: (currency, day) => {
      const stored = use((file) => sumOn(file, currency, dayFor(file, currency, day)))
      return stored + unlimited.spentOn(currency, day)
    },
    reserve: ({ currency, day, needed, limit }) => {
      if (limit === undefined) return below0(unlimited.reserve({ currency, day, needed, limit }))
      return use((file) =>
        inTransaction(file, () => {
          const counted = dayFor(file, currency, day)
          const spent = sumOn(file, currency, counted)
          if (spent + needed > limit) return { spent }
          return { id: insert(file, [wallet, currency, counted, `${needed}`]) }
        }),
      )
    },
    settle: (id, amount) => {
      if (id < 0) return unlimited.settle(-id, amount)
      use((file) => {
        file.prepare('UPDATE spending SET amount = ? WHERE id = ?').run(`${amount}`, id)
      })
    },
  }
}

const below0 = <T extends { readonly id: number } | { readonly spent: bigint }>(reserved: T) =>
  'id' in reserved ? { id: -reserved.id } : reserved

type Row = readonly [wallet: string, currency: string, day: number, amount: string]

/** Counts an amount, and forgets the days before yesterday: what is under way may end on the day after. */
function insert(file: DatabaseSync, [wallet, currency, day, amount]: Row): number {
  const old = 'DELETE FROM spending WHERE wallet = ? AND currency = ? AND day < ?'
  file.prepare(old).run(wallet, currency, day - 1)
  const one = 'INSERT INTO spending (wallet, currency, day, amount) VALUES (?, ?, ?, ?)'
  return Number(file.prepare(one).run(wallet, currency, day, amount).lastInsertRowid)
}

function readAmount(text: unknown): bigint {
  if (typeof text === 'string' && /^[0-9]+$/.test(text)) return BigInt(text)
  throw new Error('an amount in it is no number')
}

/** Runs a change of a file that no other process sees half done. */
export function inTransaction<T>(file: DatabaseSync, change: () => T): T {
  file.exec('BEGIN IMMEDIATE')
  try {
    const result = change()
    file.exec('COMMIT')
    return result
  } catch (error) {
    if (file.isTransaction) file.exec('ROLLBACK')
    throw error
  }
}

/** Opens the orders that a wallet signed, which all processes of the user share. */
export const storedOrders = ({ use, wallet }: WalletRows): OrderStore => ({
  all: () =>
    use((file) => {
      const rows = file.prepare('SELECT body FROM signed_order WHERE wallet = ?').all(wallet)
      return rows.map(({ body }) => readOrder(body))
    }),
  get: (key) =>
    use((file) => {
      const query = 'SELECT body FROM signed_order WHERE wallet = ? AND key = ?'
      const row = file.prepare(query).get(wallet, key)
      return row && readOrder(row.body)
    }),
  add: (key, order) =>
    use((file) =>
      inTransaction(file, () => {
        const query = 'SELECT hash FROM signed_order WHERE wallet = ? AND key = ?'
        const stored = file.prepare(query).get(wallet, key)?.hash ?? order.hash
        if (stored !== order.hash) return false
        file
          .prepare(
            'INSERT OR REPLACE INTO signed_order (wallet, key, hash, body) VALUES (?, ?, ?, ?)',
          )
          .run(wallet, key, order.hash, printOrder(order))
        return true
      }),
    ),
  replace: (key, order) =>
    use((file) => {
      const change = 'UPDATE signed_order SET body = ? WHERE wallet = ? AND key = ? AND hash = ?'
      file.prepare(change).run(printOrder(order), wallet, key, order.hash)
    }),
  remove: (key, hash) =>
    use((file) => {
      const removal = 'DELETE FROM signed_order WHERE wallet = ? AND key = ? AND hash = ?'
      file.prepare(removal).run(wallet, key, hash)
    }),
})

/** Prints an order. An entry that counts in memory alone means nothing to another process. */
const printOrder = ({ spendingId: id = -1, ...order }: StoredOrder): string =>
  JSON.stringify({ ...order, ...(id > 0 && { spendingId: id }) }, encodeBigints)

const readOrder = (body: unknown): StoredOrder => JSON.parse(String(body), decodeBigints)
