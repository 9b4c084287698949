import type { JobStore } from '../../job-store/job-store.ts'
import type { LaneId } from '../../job-store/schema.ts'
import { memoize } from '../../platform/memoize.ts'
import { type JobRow, readJobs, resultOf } from './job-row.ts'

/** The time for which what was read is used again, in milliseconds: anyone may ask for tokens. */
const knownFor = 500

/**
 * Returns whether a token that the chain does not show may come back: a settled transaction minted it,
 * or a reorganisation undid the block of a mint that is open again.
 */
export function undoneTokens(
  { db }: Pick<JobStore, 'db'>,
  lane: () => Promise<LaneId>,
): (tokenId: bigint) => Promise<boolean> {
  const read = memoize(() => lane().then((id) => readMinted(db, id)), { resultFor: knownFor })
  return async (tokenId) => {
    const { isAnyOpen, tokens } = await read()
    return isAnyOpen || tokens.has(String(tokenId))
  }
}

async function readMinted(db: JobStore['db'], lane: LaneId) {
  const slots = await db
    .selectFrom('slot')
    .select(['state', 'jobs'])
    .where('lane', '=', lane)
    .where('state', 'in', ['open', 'settled'])
    // A slot that was never in a block minted nothing.
    .where('blockNumber', 'is not', null)
    .execute()
  const ids = slots.flatMap(({ state, jobs }) =>
    (JSON.parse(jobs) as readonly string[]).map((id) => ({ id, state })),
  )
  const open = new Set(ids.flatMap(({ id, state }) => (state === 'open' ? [id] : [])))
  const rows = await readJobs(db, { jobs: ids.map(({ id }) => id) })
  const mints = rows.filter(({ operation }) => operation === 'mint' || operation === 'fork')
  const tokens = mints.flatMap((row) => {
    const result = resultOf(row)
    return result?.kind === 'done' ? [result.outcome.tokenId ?? ''] : []
  })
  // A slot may be opened again between the two queries; its mints then have no result.
  const isOpen = (row: JobRow) => open.has(row.id) || resultOf(row) === undefined
  return { isAnyOpen: mints.some(isOpen), tokens: new Set(tokens) }
}
