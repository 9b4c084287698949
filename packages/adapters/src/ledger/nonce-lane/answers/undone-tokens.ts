import { memoize } from '../../../platform/memoize.ts'
import type { LaneId } from '../../../store/schema.ts'
import type { Store } from '../../../store/store.ts'
import { type JobRow, readJobs, resultOf } from '../job-row.ts'

/** The time for which what was read is used again, in milliseconds: anyone may ask for tokens. */
const knownFor = 500

/**
 * Returns whether a token that the chain does not show may come back: a settled transaction minted it,
 * or a reorganisation undid the block of a mint that is open again, or whose nonce was lost since.
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
    .select(['nonce', 'state', 'jobs'])
    .where('lane', '=', lane)
    .where('state', 'in', ['open', 'settled', 'lost'])
    // A slot that was never in a block minted nothing.
    .where('blockNumber', 'is not', null)
    .execute()
  const nonces = new Set<number | null>(slots.map(({ nonce }) => nonce))
  const idsOf = (some: typeof slots): readonly string[] => some.flatMap((it) => JSON.parse(it.jobs))
  const jobs = idsOf(slots)
  // The jobs of a lost nonce are made under another one, after a block that may have been undone.
  const moved = new Set(idsOf(slots.filter(({ state }) => state === 'lost')))
  const isMint = ({ operation }: JobRow) => operation === 'mint' || operation === 'fork'
  // Any other job that was queued again is in none of these transactions.
  const isIn = (row: JobRow) => isMint(row) && (nonces.has(row.nonce) || moved.has(row.id))
  const results = (await readJobs(db, { jobs })).filter(isIn).map(resultOf)
  const tokens = results.map((it) => (it?.kind === 'done' ? it.outcome.tokenId : undefined))
  // A mint that was undone has no result until a block has it again.
  return { isAnyOpen: results.includes(undefined), tokens: new Set(tokens) }
}
