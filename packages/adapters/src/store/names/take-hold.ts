import { randomUUID } from 'node:crypto'
import { Failure, type HoldResult, type SaveRequest, type TokenId } from '@heirloom/core'
import { holdOf } from './holds.ts'
import { type Db, keyOf, lastVersion, moved, savedVersion } from './name-rows.ts'
import type { NameRow, NameVersionRow } from './name-tables.ts'

/** The save that holds a name now, and must be decided first. */
export type TakenHold = { readonly kind: 'taken'; readonly by: NameVersionRow }

export declare namespace takeHold {
  type Input = {
    readonly registry: string
    readonly request: SaveRequest
    /** The token that must be the last version; 0 for none. */
    readonly after: TokenId
    /** This process. */
    readonly holder: string
    readonly now: number
    /** The seal whose mint decides the hold. */
    readonly seal?: string | undefined
  }
}

/**
 * Takes the hold of a name in one transaction, or returns the save that has it, or what an earlier
 * equal request saved.
 *
 * @throws `name/moved`, `idempotency/key-reused`
 */
export async function takeHold(trx: Db, input: takeHold.Input): Promise<HoldResult | TakenHold> {
  const { registry, request, after } = input
  const earlier = await findKeyed(trx, input)
  if (earlier?.state === 'saved') return { kind: 'saved', version: savedVersion(earlier) }
  if (earlier !== undefined) return { kind: 'taken', by: earlier }
  const row = await lockName(trx, input)
  if (row.hold !== null) return { kind: 'taken', by: await readHold(trx, row.hold) }
  const last = await lastVersion(trx, row)
  if ((last?.tokenId ?? 0n) !== after) throw moved(request.name, last)
  const id = holdOf(row.id, randomUUID())
  await trx.updateTable('memoryName').set({ hold: id }).where('id', '=', row.id).execute()
  const key = request.idempotency && keyOf(registry, request.owner, request.idempotency)
  await trx
    .insertInto('nameVersion')
    .values({ ...newVersion(input), id, name: row.id, key: key ?? null })
    .execute()
  return { kind: 'held', id, last }
}

async function findKeyed(
  trx: Db,
  { registry, request: { owner, idempotency } }: takeHold.Input,
): Promise<NameVersionRow | undefined> {
  if (idempotency === undefined) return undefined
  const found = await trx
    .selectFrom('nameVersion')
    .selectAll()
    .where('key', '=', keyOf(registry, owner, idempotency))
    .executeTakeFirst()
  if (found === undefined || found.fingerprint === idempotency.fingerprint) return found
  throw new Failure('idempotency/key-reused', {})
}

/**
 * Returns the row of a name, made where there is none, and locks it until the transaction ends: in one
 * statement, since a save that failed removes the row of a name that has no version.
 */
const lockName = (
  trx: Db,
  { registry, request: { owner, name } }: takeHold.Input,
): Promise<NameRow> =>
  trx
    .insertInto('memoryName')
    .values({ id: randomUUID(), registry, owner, name, version: 0, hold: null })
    .onConflict((it) => it.columns(['registry', 'owner', 'name']).doUpdateSet({ name }))
    .returningAll()
    .executeTakeFirstOrThrow()

const readHold = (trx: Db, id: string): Promise<NameVersionRow> =>
  trx.selectFrom('nameVersion').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

function newVersion({ request, holder, now, seal }: takeHold.Input) {
  const { savedBy, idempotency, grant } = request
  const state: NameVersionRow['state'] = seal === undefined ? 'held' : 'sealed'
  return {
    state,
    holder,
    heldAt: now,
    savedBy,
    seal: seal ?? null,
    grantId: grant ?? null,
    job: null,
    version: null,
    tokenId: null,
    txHash: null,
    savedAt: null,
    contentHash: null,
    digest: null,
    creator: null,
    recipient: null,
    documentBytes: null,
    storedBytes: null,
    fingerprint: idempotency?.fingerprint ?? null,
  }
}
