import { type ActStore, markOf, type StoredAct } from '@heirloom/adapters/internal/wallet'
import { decodeBigints, encodeBigints } from '../../api/bigint-text.ts'
import { inTransaction, type WalletRows } from './stored-spending.ts'

/** Opens the acts with idempotency keys, which all processes of the user share. */
export const storedActs = ({ use, wallet }: WalletRows): ActStore => ({
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
