import { Failure } from '@heirloom/core'
import { packLease } from './pack-queries.ts'
import type { PackTables } from './pack-tables.ts'
import type { SealRow } from './schema.ts'
import type { Store } from './store.ts'

/** A bound of a number of seals and of their bytes; 0 for no bound. */
type Bound = { readonly seals: number; readonly bytes: number }

/** The bounds of the seals that are not minted yet. */
export type SealBounds = {
  readonly perAccount: Bound
  readonly perClient: Bound
  readonly inAll: Bound
}

/** The seals that are not minted yet, in number and bytes; in all with the packs of expired ones. */
export type SealUsage = { readonly [scope in keyof SealBounds]: Bound }

/** The time after which a refused client may try again, in seconds. */
const retryAfterSeconds = 60

/** The time from one sweep of packs to the next, in milliseconds. */
const sweepInterval = 3_600_000

/**
 * Returns the bytes of expired seals whose packs are still stored: a sweep removes them after their
 * leases. Without these, clients could fill the disk with what expires.
 *
 * @param now - the time of the store, in milliseconds since 1970
 */
export async function unsweptBytes(
  db: Pick<Store['db'], 'withTables'>,
  now: number,
): Promise<number> {
  const { bytes } = await db
    .withTables<PackTables>()
    .selectFrom('seal')
    .innerJoin('packRoot', 'packRoot.digest', 'seal.digest')
    .where('seal.state', '=', 'expired')
    .where('packRoot.storedAt', '>', now - packLease - sweepInterval)
    .select(({ fn }) => fn.sum('seal.bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Reads what an account, a client and all of them have sealed and not minted. */
export async function readUsage(
  db: Pick<Store['db'], 'selectFrom' | 'withTables'>,
  { creator, client }: Pick<SealRow, 'creator' | 'client'>,
  now: number,
): Promise<SealUsage> {
  const usage = await db
    .selectFrom('seal')
    .where('state', 'in', ['storing', 'unminted'])
    .select(({ fn }) => [
      fn.count('id').as('seals'),
      fn.sum('bytes').as('bytes'),
      fn.count('id').filterWhere('creator', '=', creator).as('accountSeals'),
      fn.sum('bytes').filterWhere('creator', '=', creator).as('accountBytes'),
      fn.count('id').filterWhere('client', '=', client).as('clientSeals'),
      fn.sum('bytes').filterWhere('client', '=', client).as('clientBytes'),
    ])
    .executeTakeFirstOrThrow()
  return {
    perAccount: { seals: Number(usage.accountSeals), bytes: Number(usage.accountBytes) },
    perClient: { seals: Number(usage.clientSeals), bytes: Number(usage.clientBytes) },
    inAll: {
      seals: Number(usage.seals),
      bytes: Number(usage.bytes) + (await unsweptBytes(db, now)),
    },
  }
}

/**
 * Refuses one more seal of so many bytes beyond a bound.
 *
 * @throws `seal/too-many` for the account or the client, `seal/no-room` for all
 */
export function refuseBeyond(bounds: SealBounds, usage: SealUsage, bytes: number): void {
  for (const [scope, owner] of owners) {
    const [bound, used] = [bounds[scope], usage[scope]]
    if (exceeds(used.seals + 1, bound.seals)) throw tooMany('unminted seals', owner, bound.seals)
    if (exceeds(used.bytes + bytes, bound.bytes)) {
      throw tooMany('bytes in unminted seals', owner, bound.bytes)
    }
  }
  const { seals, bytes: limit } = bounds.inAll
  if (exceeds(usage.inAll.seals + 1, seals)) {
    throw tooMany('unminted seals', 'all wallets', seals)
  }
  if (exceeds(usage.inAll.bytes + bytes, limit)) {
    throw new Failure('seal/no-room', { limit, retryAfterSeconds })
  }
}

const owners = [
  ['perAccount', 'this wallet'],
  ['perClient', 'this client'],
] as const

const exceeds = (amount: number, bound: number): boolean => bound > 0 && amount > bound

const tooMany = (what: string, owner: string, limit: number) =>
  new Failure('seal/too-many', { what: `${what} of ${owner}`, limit, retryAfterSeconds })
