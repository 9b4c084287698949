import { DatabaseSync } from 'node:sqlite'

/**
 * Ends the jobs in the file of a restored store that had not ended, and returns how many of them
 * may have been carried out by the original.
 *
 * A `remote` chain went on without the backup: the writes of these jobs may be done, and must not be
 * done again. They end with `transaction/unknown`, and their idempotency keys stay used.
 *
 * An `embedded` chain was saved at the same moment: what was signed goes on, and what was not yet is
 * nowhere. It ends without effect, because its blobs may have been removed since, and its key is free.
 */
export function endUnfinishedJobs(path: string, chain: 'embedded' | 'remote'): number {
  const file = new DatabaseSync(path)
  try {
    file.exec('BEGIN')
    const ended = chain === 'remote' ? endAsUnknown(file) : endQueued(file)
    file.exec('COMMIT')
    return ended
  } finally {
    file.close()
  }
}

function endAsUnknown(file: DatabaseSync): number {
  const outcome = JSON.stringify({ code: 'transaction/unknown', facts: {} })
  const ended = file
    .prepare("UPDATE job SET state = 'failed', outcome = ? WHERE state IN ('queued', 'sent')")
    .run(outcome)
  file.exec("UPDATE slot SET jobs = '[]' WHERE state IN ('open', 'mined')")
  return Number(ended.changes)
}

function endQueued(file: DatabaseSync): 0 {
  const facts = { operation: 'a write that a restored backup had only begun' }
  file
    .prepare("UPDATE job SET state = 'failed', outcome = ?, key = NULL WHERE state = 'queued'")
    .run(JSON.stringify({ code: 'ledger/unavailable', facts }))
  return 0
}
