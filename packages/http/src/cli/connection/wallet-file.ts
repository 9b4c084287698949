import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type ActStore,
  markOf,
  type StoredAct,
  type WalletName,
  type WalletStore,
} from '@heirloom/adapters/internal/wallet'
import { Failure, isFailure } from '@heirloom/core'
import { decodeBigints, encodeBigints } from '../../api/bigint-json.ts'
import { inTransaction, storedOrders, storedSpending, type WalletRows } from './wallet-rows.ts'

/** The file of what the wallets of a user spent and signed, and the file that says that it exists. */
const names = { file: 'wallet.sqlite', mark: 'wallet.mark' }

/** The version of the tables. What is only added leaves it as it is, so that older programs open the file. */
const version = 1

const tables = `
  CREATE TABLE spending (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet TEXT NOT NULL,
    currency TEXT NOT NULL,
    day INTEGER NOT NULL,
    amount TEXT NOT NULL
  ) STRICT;
  CREATE INDEX spending_by_day ON spending (wallet, currency, day);
  CREATE TABLE signed_order (
    wallet TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (wallet, key)
  ) STRICT;
  PRAGMA user_version = ${version};
`

/** The tables that a file of an earlier program lacks. */
const addedTables = `
  CREATE TABLE IF NOT EXISTS signed_act (
    wallet TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (wallet, key)
  ) STRICT;
`

/** The longest wait for another process that writes, in milliseconds. */
const busyTimeout = 10_000

/**
 * Returns the store in a file, in which the wallets of a user count what they spend, and keep the
 * orders that they signed and their acts with idempotency keys. All processes of the user share it. A file that is damaged, or gone although
 * it existed, is refused: without it a wallet would spend its limit again, and could pay an order twice.
 *
 * @throws `folder/unusable`
 */
export const walletFile =
  (folder: string) =>
  ({ chainId, address, marketplace }: WalletName): WalletStore => {
    const wallet = `${chainId} ${address.toLowerCase()}`
    const customer = `${wallet} ${marketplace.toLowerCase()}`
    // Opened by the first act that is counted or paid in dollars; most commands make none.
    const file = memoize(() => openFile(folder))
    const use: WalletRows['use'] = (act) => guard(folder, () => act(file()))
    return {
      spending: storedSpending({ wallet, use }),
      orders: storedOrders({ wallet: customer, use }),
      acts: storedActs({ wallet: customer, use }),
    }
  }

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function openFile(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [path, mark] = [join(folder, names.file), join(folder, names.mark)]
  const isMarked = existsSync(mark)
  if (isMarked && !existsSync(path)) throw new Error(`${names.file} is gone`)
  if (!isMarked) createPrivate(path)
  restrict(path)
  const file = new DatabaseSync(path, { timeout: busyTimeout })
  try {
    requireTables(file, isMarked)
    if (!isMarked) createPrivate(mark)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

function requireTables(file: DatabaseSync, isMarked: boolean): void {
  file.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
  const found = Number(file.prepare('PRAGMA user_version').get()?.user_version)
  if (found === 0 && isMarked) throw new Error(`${names.file} is empty`)
  if (found > version) throw new Error(`${names.file} is of a newer version of heirloom`)
  if (found === 0) file.exec(tables)
  file.exec(addedTables)
  const [check] = file.prepare('PRAGMA quick_check(1)').all()
  if (check?.quick_check !== 'ok') throw new Error(`${names.file} is damaged`)
  file.exec('COMMIT')
}

/** Creates a file that only this user can access, unless it exists, and makes its name durable. */
function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  if (process.platform === 'win32') return
  const folder = openSync(join(path, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function restrict(path: string): void {
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, 0o600)
}

function guard<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    const problem = `${reason}. It counts what your wallets spent today and keeps what they signed: restore ${names.file}, or wait ten minutes and remove ${names.mark} and ${names.file} to count from 0`
    throw new Failure('folder/unusable', { folder, problem }, { cause })
  }
}

/** Opens the acts with idempotency keys, which all processes of the user share. */
const storedActs = ({ use, wallet }: WalletRows): ActStore => ({
  get: (key) =>
    use((file) => {
      const query = 'SELECT body FROM signed_act WHERE wallet = ? AND key = ?'
      const row = file.prepare(query).get(wallet, key)
      return row && readAct(row.body)
    }),
  add: (key, act) =>
    use((file) => {
      const addition =
        'INSERT OR IGNORE INTO signed_act (wallet, key, hash, body) VALUES (?, ?, ?, ?)'
      return file.prepare(addition).run(wallet, key, hashOf(act), printAct(act)).changes === 1
    }),
  put: (key, act) =>
    use((file) =>
      inTransaction(file, () => {
        const change =
          'INSERT OR REPLACE INTO signed_act (wallet, key, hash, body) VALUES (?, ?, ?, ?)'
        file.prepare(change).run(wallet, key, hashOf(act), printAct(act))
      }),
    ),
  replace: (key, act) =>
    use((file) => {
      const change = 'UPDATE signed_act SET body = ? WHERE wallet = ? AND key = ? AND hash = ?'
      file.prepare(change).run(printAct(act), wallet, key, hashOf(act))
    }),
  remove: (key, mark) =>
    use((file) => {
      const removal = 'DELETE FROM signed_act WHERE wallet = ? AND key = ? AND hash = ?'
      file.prepare(removal).run(wallet, key, mark)
    }),
})

/** Returns what the column `hash` has of an act; one that was performed can not be removed by it. */
const hashOf = (act: StoredAct): string => markOf(act) ?? ''

const printAct = (act: StoredAct): string => JSON.stringify(act, encodeBigints)

const readAct = (body: unknown): StoredAct => JSON.parse(String(body), decodeBigints)
