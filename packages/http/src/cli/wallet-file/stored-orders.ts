import type { OrderStore, StoredOrder } from '@heirloom/adapters/internal/wallet'
import { decodeBigints, encodeBigints } from '../../api/bigint-json.ts'
import { inTransaction, type WalletRows } from './stored-spending.ts'

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
