import { type EventBatch, Failure } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { readCatalogueState } from '../projection/advance.ts'
import type { Database } from '../schema.ts'
import { bytesOf } from '../table.ts'
import { decodeEvent, eventId } from './decode-rows.ts'
import { selectEvents } from './select-tokens.ts'

type Db = Kysely<Database>

/** The parts of an event id: the position of the event, and the start of its block's hash. */
type EventId = { readonly block: number; readonly logIndex: number; readonly hash8: string }

/** Reads the events after an event; after one that was undone, those that replace it. */
export async function eventsAfter(
  db: Db,
  reorgDepth: number,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<EventBatch> {
  if (after === undefined) return readEvents(db, { block: -1, logIndex: 0, limit })
  const id = parseEventId(after)
  const { block, logIndex } = id
  if (await isCanonical(db, id)) return readEvents(db, { block, logIndex, limit })
  const reorganisedFrom = await firstReorganisedBlock(db, reorgDepth, id)
  // The block is not indexed yet, so it is unknown whether the event is canonical.
  if (reorganisedFrom === undefined) return { entries: [], reorganisedFrom }
  const position = { block: reorganisedFrom - 1, logIndex: Number.MAX_SAFE_INTEGER }
  const events = await readEvents(db, { ...position, limit })
  return { ...events, reorganisedFrom: BigInt(reorganisedFrom) }
}

/** Returns the id of the newest event. */
export async function newestEventId(db: Db): Promise<string | undefined> {
  const row = await selectEvents(db)
    .orderBy('event.block', 'desc')
    .orderBy('event.logIndex', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && eventId(row)
}

function parseEventId(id: string): EventId {
  const [, block, logIndex, hash8] =
    /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,8})-([0-9a-f]{8})$/.exec(id) ?? []
  if (block === undefined || logIndex === undefined || hash8 === undefined) {
    throw new Failure('request/malformed', { where: 'after', problem: 'is no id of an event' })
  }
  return { block: Number(block), logIndex: Number(logIndex), hash8 }
}

async function isCanonical(db: Db, { block, logIndex, hash8 }: EventId): Promise<boolean> {
  const row = await selectEvents(db)
    .where('event.block', '=', block)
    .where('event.logIndex', '=', logIndex)
    .executeTakeFirst()
  return row !== undefined && eventId(row) === `${block}-${logIndex}-${hash8}`
}

/**
 * Returns the first block reorganised since an event that is not canonical; `undefined` when the
 * catalogue has not indexed its block yet.
 */
async function firstReorganisedBlock(
  db: Db,
  reorgDepth: number,
  { block, hash8 }: EventId,
): Promise<number | undefined> {
  const undone = await db
    .selectFrom('undone')
    .select('reorganisation')
    .where('number', '=', block)
    .where('hash8', '=', bytesOf(`0x${hash8}`))
    .executeTakeFirst()
  if (undone !== undefined) {
    const { from } = await db
      .selectFrom('reorganisation')
      .select((it) => it.fn.min('fromBlock').as('from'))
      .where('id', '>=', undone.reorganisation)
      .executeTakeFirstOrThrow()
    return Math.min(block, from)
  }
  const { block: indexed, head } = await readCatalogueState(db)
  if (indexed < block) return indexed < head || block - indexed <= reorgDepth ? undefined : 0
  // A rebuilt catalogue has no record of earlier reorganisations, so it assumes the deepest one.
  return Math.max(0, block - reorgDepth)
}

type Position = { readonly block: number; readonly logIndex: number }

async function readEvents(
  db: Db,
  { block, logIndex, limit }: Position & { readonly limit: number },
): Promise<EventBatch> {
  const rows = await selectEvents(db)
    .where('event.block', '>=', block)
    .where((it) => it.or([it('event.block', '>', block), it('event.logIndex', '>', logIndex)]))
    .orderBy('event.block')
    .orderBy('event.logIndex')
    .limit(limit)
    .execute()
  return { entries: rows.map(decodeEvent), reorganisedFrom: undefined }
}
