import { memoize } from '../../../platform/memoize.ts'
import type { LaneId } from '../../../store/schema.ts'
import type { Store } from '../../../store/store.ts'
import { type JobRow, readJobs, resultOf } from '../job-row.ts'

/** The time for which what was read is used again, in milliseconds: anyone may ask for tokens. */
const knownFor = 500

/**
 * Returns whether a token that the chain does not show may come back: a settled transaction minted it,
 * or a reorganisation undid the block of a mint that is open again.
 */
export function undoneTokens(
  { db }: Pick<Store, 'db'>,
  lane: () => Promise<LaneId>,
): (tokenId: bigint) => Promise<boolean> {
  const read = memoize(() => lane().then((id) => readMinted(db, id)), { resultFor: knownFor })
  return async (tokenId) => {
    const { isAnyOpen, tokens } = await read()
    return isAnyOpen || tokens.has(String(tokenId))
  }
}

async function readMinted(db: Store['db'], lane: LaneId) {
  const slots = await db
    .selectFrom('slot')
    .select(['nonce', 'jobs'])
    .where('lane', '=', lane)
    .where('state', 'in', ['open', 'settled'])
    // A slot that was never in a block minted nothing.
    .where('blockNumber', 'is not', null)
    .execute()
  const nonces = new Set<number | null>(slots.map(({ nonce }) => nonce))
  const jobs: readonly string[] = slots.flatMap((slot) => JSON.parse(slot.jobs))
  const isMint = ({ operation }: JobRow) => operation === 'mint' || operation === 'fork'
  // A job that was queued again is in none of these transactions.
  const isIn = (row: JobRow) => isMint(row) && nonces.has(row.nonce)
  const results = (await readJobs(db, { jobs })).filter(isIn).map(resultOf)
  const tokens = results.map((it) => (it?.kind === 'done' ? it.outcome.tokenId : undefined))
  // A mint that was undone has no result until a block has it again.
  return { isAnyOpen: results.includes(undefined), tokens: new Set(tokens) }
}
