import { type EventBatch, Failure } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { standing } from '../projection/advance.ts'
import type { Database } from '../schema.ts'
import { eventId, toldEvent } from './decode-rows.ts'

type Db = Kysely<Database>

/** What an id says of the event it names. */
type Named = { readonly block: number; readonly logIndex: number; readonly hash8: string }

/** Returns what happened after an event, or in the place of one that no longer stands. */
export async function happened(
  db: Db,
  reorgDepth: number,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<EventBatch> {
  if (after === undefined) return tell(db, { block: -1, logIndex: 0, limit })
  const named = namedBy(after)
  const { block, logIndex } = named
  if (await stands(db, named)) return tell(db, { block, logIndex, limit })
  const undoneFrom = await undoneSince(db, reorgDepth, named)
  // The catalogue has not come so far yet, so nobody can say whether the event stands.
  if (undoneFrom === undefined) return { entries: [], undoneFrom }
  const told = await tell(db, { block: undoneFrom - 1, logIndex: Number.MAX_SAFE_INTEGER, limit })
  return { ...told, undoneFrom: BigInt(undoneFrom) }
}

/** Returns the id of the newest event. */
export async function newest(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('event')
    .select(['block', 'logIndex', 'blockHash'])
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && eventId(row)
}

function namedBy(id: string): Named {
  const [, block, logIndex, hash8] =
    /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,8})-([0-9a-f]{8})$/.exec(id) ?? []
  if (block === undefined || logIndex === undefined || hash8 === undefined) {
    throw new Failure('request/malformed', { where: 'after', problem: 'is no id of an event' })
  }
  return { block: Number(block), logIndex: Number(logIndex), hash8 }
}

async function stands(db: Db, { block, logIndex, hash8 }: Named): Promise<boolean> {
  const row = await db
    .selectFrom('event')
    .select('blockHash')
    .where('block', '=', block)
    .where('logIndex', '=', logIndex)
    .executeTakeFirst()
  return row?.blockHash.slice(2, 10) === hash8
}

/** Returns the oldest block that is not as whoever names an event that does not stand knew it. */
async function undoneSince(
  db: Db,
  reorgDepth: number,
  { block, hash8 }: Named,
): Promise<number | undefined> {
  const undone = await db
    .selectFrom('undone')
    .select('reorganisation')
    .where('number', '=', block)
    .where('hash8', '=', hash8)
    .executeTakeFirst()
  if (undone !== undefined) {
    const { from } = await db
      .selectFrom('reorganisation')
      .select((it) => it.fn.min('fromBlock').as('from'))
      .where('id', '>=', undone.reorganisation)
      .executeTakeFirstOrThrow()
    return Math.min(block, from)
  }
  const { block: read, head } = await standing(db)
  if (read < block) return read < head || block - read <= reorgDepth ? undefined : 0
  // A catalogue that was made again does not remember what it told before, nor how much of it went.
  return Math.max(0, block - reorgDepth)
}

type Telling = { readonly block: number; readonly logIndex: number; readonly limit: number }

async function tell(db: Db, { block, logIndex, limit }: Telling): Promise<EventBatch> {
  const rows = await db
    .selectFrom('event')
    .selectAll()
    .where('block', '>=', block)
    .where((it) => it.or([it('block', '>', block), it('logIndex', '>', logIndex)]))
    .orderBy('block')
    .orderBy('logIndex')
    .limit(limit)
    .execute()
  return { entries: rows.map(toldEvent), undoneFrom: undefined }
}
