import { Failure } from '../failure.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import type { Ratings } from '../ports/ratings.ts'
import { type Proof, refuseStale } from '../tokens/access.ts'
import type { HistoryEntry } from '../tokens/catalogued-token.ts'
import { requireFound } from '../tokens/provenance.ts'
import { type Opinion, opinion, type Payment, paymentBy, type Rating } from '../tokens/rating.ts'
import type { Account, Instant, TokenId } from '../values/branded.ts'
import { fromSeconds } from '../values/time.ts'

/** The failures of `rate`. */
export const rateFailures = [
  'ledger/unavailable',
  'proof/not-signed',
  'proof/replaced',
  'proof/stale',
  'rating/malformed',
  'rating/not-paid',
  'rating/unavailable',
  'token/not-found',
] as const

/**
 * Rates a token for an account that paid for it, or that a purchase or a rental was paid for. A later
 * rating of the account replaces an earlier one.
 *
 * @throws `rating/malformed`, `rating/not-paid`, `rating/unavailable`, `proof/stale`,
 * `proof/not-signed`, `proof/replaced`, `token/not-found`, `ledger/unavailable`, and the failures of `activity`
 */
export async function rate(
  parts: rate.Parts,
  { tokenId, account, proof, ...input }: rate.Input,
): Promise<Rating> {
  const { clock, ledger, ratings } = parts
  const judged: Opinion = opinion(input)
  const { timestamp, message, signature } = proof
  refuseStale(proof, clock.now())
  const statement: Statement = { account, message, signature }
  const isSigned = await ledger.isSignedByKey(statement)
  if (isSigned === false) throw new Failure('proof/not-signed', { account })

  const payment = await readPayment(parts, { tokenId, account })
  if (payment === undefined) throw new Failure('rating/not-paid', { tokenId, account })
  // Anyone can name a contract, so its code runs only for one that paid.
  if (isSigned === undefined && !(await ledger.isSignedByContract(statement))) {
    throw new Failure('proof/not-signed', { account })
  }
  const ratedAt = fromSeconds(timestamp)
  const rating = { tokenId, account, ...judged, ratedAt, message, signature, payment }
  return requireCounted(await ratings.add(rating), statement, ratedAt)
}

/**
 * Returns what counts of an account, which must be the text that it signed now: of two of one second the
 * first to arrive counts.
 *
 * @throws `proof/replaced`
 */
export function requireCounted<T extends { readonly message: string }>(
  counted: T,
  { account, message }: Pick<Statement, 'account'> & { readonly message: Statement['message'] },
  signedAt: Instant,
): T {
  if (counted.message === message) return counted
  throw new Failure('proof/replaced', { account, signedAt })
}

export declare namespace rate {
  type Parts = Pick<Ports, 'clock'> & {
    readonly ledger: Pick<Ledger, 'isSignedByKey' | 'isSignedByContract'>
    readonly catalogue: Pick<Catalogue, 'token' | 'activity'>
    /** Waits until the catalogue shows the present head of the chain. */
    readonly catchUp: () => Promise<void>
    readonly ratings: Pick<Ratings, 'add'>
  }
  type Input = opinion.Input & {
    readonly tokenId: TokenId
    readonly account: Account
    readonly proof: Pick<Proof, 'timestamp' | 'signature'> & {
      /** The text that the account signed (EIP-191), which contains the opinion. */
      readonly message: string
    }
  }
}

type Payer = { readonly tokenId: TokenId; readonly account: Account }

/**
 * Returns the payment of an account for a token, which can be newer than what the catalogue shows;
 * `undefined` when there is none.
 *
 * @throws `token/not-found`
 */
async function readPayment(
  { catalogue, catchUp }: Pick<rate.Parts, 'catalogue' | 'catchUp'>,
  of: Payer,
): Promise<Payment | undefined> {
  const events = await readEvents(catalogue, of)
  if (events === undefined) return undefined
  const known = paymentBy(of.account, events)
  if (known !== undefined) return known
  await catchUp()
  requireFound(of.tokenId, await catalogue.token(of.tokenId))
  return paymentBy(of.account, (await readEvents(catalogue, of)) ?? [])
}

/** The events of a page, and the most pages. */
const [pageLimit, mostPages] = [100, 20]

/**
 * Returns the events of a token that name an account, oldest first; `undefined` where there are more
 * than 2000, which an account makes only to have them read.
 */
async function readEvents(
  { activity }: Pick<Catalogue, 'activity'>,
  of: Payer,
): Promise<readonly HistoryEntry[] | undefined> {
  const found: HistoryEntry[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { items, next } = await activity({ ...of, after, limit: pageLimit })
    found.push(...items)
    if (next === undefined) return found.toReversed()
    after = next
  }
  return undefined
}
