import {
  type Account,
  type Currency,
  currencies,
  type Earning,
  type EarningKind,
  type Page,
  type PageInput,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Database, EarningsRow } from '../schema.ts'
import { decodeCursor, encodeCursor, type PageEnd, requireLimit } from './cursor.ts'
import { decodeEvent } from './decode-rows.ts'
import { selectEvents } from './select-tokens.ts'

type Db = Kysely<Database>

const format = { kind: 'each-earning', key: /^(0|[1-9]\d{0,14})$/ }

const kinds: readonly EarningKind[] = ['sales', 'rentals', 'forks', 'royalties']

/** The totals of an account in a currency after an event, and before it. */
type Step = { readonly after: EarningsRow; readonly before: EarningsRow | undefined }

/**
 * Reads each earning of an account, newest first. The catalogue stores totals, so an earning is what a
 * total has more than the one before it; a change of the credit alone is none.
 */
export async function readEachEarning(
  db: Db,
  account: Account,
  page: PageInput,
): Promise<Page<Earning>> {
  requireLimit(page)
  const { limit } = page
  const end = decodeCursor(page, format)
  const steps: Step[] = []
  for (const currency of currencies) {
    steps.push(...(await readSteps(db, { account, currency, end, limit })))
  }
  steps.sort(
    ({ after: one }, { after: other }) => other.block - one.block || other.logIndex - one.logIndex,
  )
  const shown = steps.slice(0, limit)
  const last = steps.length > limit ? shown.at(-1)?.after : undefined
  const items: Earning[] = []
  for (const step of shown) {
    const earning = await decodeEarning(db, step)
    if (earning !== undefined) items.push(earning)
  }
  return { items, next: last && encodeCursor(format.kind, [String(last.block), last.logIndex]) }
}

type StepsInput = {
  readonly account: Account
  readonly currency: Currency
  readonly end: PageEnd | undefined
  readonly limit: number
}

/** Reads the last steps in a currency before a position: one more than the limit, if there are as many. */
async function readSteps(
  db: Db,
  { account, currency, end, limit }: StepsInput,
): Promise<readonly Step[]> {
  const all = db
    .selectFrom('income')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .where('currency', '=', currency)
  const [block, logIndex] = end ?? ['0', 0]
  const rows = await all
    .$if(end !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb('block', '<', Number(block)),
          and([eb('block', '=', Number(block)), eb('logIndex', '<', logIndex)]),
        ]),
      ),
    )
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(limit + 2)
    .execute()
  return rows.slice(0, limit + 1).map((after, at) => ({ after, before: rows[at + 1] }))
}

/** Returns the earning of a step; `undefined` where it changed the credit alone. */
async function decodeEarning(db: Db, { after, before }: Step): Promise<Earning | undefined> {
  const kind = kinds.find((it) => after[it] !== (before?.[it] ?? '0'))
  if (kind === undefined) return undefined
  const row = await selectEvents(db)
    .where('event.block', '=', after.block)
    .where('event.logIndex', '=', after.logIndex)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, tokenId, txHash, at } = decodeEvent(row)
  const amount = BigInt(after[kind]) - BigInt(before?.[kind] ?? 0)
  return { kind, currency: after.currency, amount, event: id, tokenId, txHash, at }
}
