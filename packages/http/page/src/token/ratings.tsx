import { useRef } from 'preact/hooks'
import type {
  Event,
  Page,
  Rating,
  Ratings as RatingsPage,
  Token,
} from '../../../src/client/responses.ts'
import { paidIn } from '../account/sum-earnings.ts'
import { usableWallet } from '../acts/use-act.ts'
import { readNow } from '../api/get-json.ts'
import { useMore } from '../api/use-answer.ts'
import { type Resource, useInterval, useRead, useResource } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Loading } from '../parts/lazy.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice, Unread } from '../parts/notice.tsx'
import { ButtonLine, Section } from '../parts/section.tsx'
import { Lines } from '../parts/user-text.tsx'
import { isSameAccount } from '../text/account.ts'
import { ShareBar } from './price-split.tsx'
import { RatingForm } from './rating-form.tsx'
import { describeRatings } from './rating-summary.tsx'

const noRatings: RatingsPage = { items: [], next: null, counts: [0, 0, 0, 0, 0] }

type Props = { readonly token: Token }

/** Shows what the accounts that paid for a memory think of it, and lets the visitor's join them. */
export function Ratings({ token }: Props): JSX.Element {
  const { tokenId } = token
  const ratings = useRatings(tokenId)
  const { value = noRatings, isLoading } = ratings
  const wallet = usableWallet()
  const hasPaid = useHasPaid(token, wallet?.account)
  return (
    <Section id="ratings" title="Ratings" class="ratings">
      <Unread what="The ratings" of={ratings} />
      {isLoading ? <Loading /> : <p>{describeRatings(value.counts)}</p>}
      <Distribution counts={value.counts} />
      {token.link === 'fork' && (
        <p>
          Accounts that paid for this fork rate the memory it comes from:{' '}
          <a href={`/token/${token.parent}`}>No. {token.parent}</a>.
        </p>
      )}
      <RatingList tokenId={tokenId} first={value} />
      {wallet !== undefined && hasPaid && <RatingForm tokenId={tokenId} wallet={wallet} />}
    </Section>
  )
}

/** Shows how many accounts gave each score, the best first; nothing where none did. */
function Distribution({ counts }: { readonly counts: readonly number[] }): JSX.Element | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  const scores = counts.map((count, at) => ({ score: at + 1, count })).reverse()
  return (
    <table class="scores">
      <caption class="unseen">Ratings of each score</caption>
      <tbody>
        {scores.map(({ score, count }) => (
          <tr key={score}>
            <th scope="row">{score} of 5</th>
            <td class="bar">
              <ShareBar part={BigInt(count)} whole={BigInt(all)} />
            </td>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ListProps = { readonly tokenId: string; readonly first: RatingsPage }

function RatingList({ tokenId, first }: ListProps): JSX.Element {
  const read = (after: string) => readNow('ratings', { tokenId, after })
  const { pages, next, problem, load } = useMore(first, read)
  return (
    <>
      <ul class="opinions">
        {pages
          .flatMap(({ items }) => items)
          .map((rating) => (
            <Opinion key={rating.account} rating={rating} />
          ))}
      </ul>
      <ProblemNotice problem={problem} />
      {next !== undefined && <ButtonLine name="Show earlier" onClick={load} />}
    </>
  )
}

const paidFor = { buy: 'bought it', rent: 'rented it', fork: 'forked it' } as const

function Opinion({ rating }: { readonly rating: Rating }): JSX.Element {
  const { score, account, act, ratedAt, comment } = rating
  return (
    <li>
      <p>
        <strong>{score} of 5</strong> · <Account of={account} /> {paidFor[act]} ·{' '}
        <Moment at={ratedAt} />
      </p>
      {comment !== '' && <Lines of={comment} />}
    </li>
  )
}

/**
 * Returns whether an account may have paid for a memory, and so may rate it; false until that is
 * known. The server checks again.
 */
function useHasPaid(token: Token, account: string | undefined): boolean {
  const isCandidate = account !== undefined && !isSameAccount(account, token.creator)
  const shown = { account, token: token.tokenId, limit: 100 }
  const { value } = useRead('activity', isCandidate ? shown : undefined)
  return isCandidate && value !== undefined && mayHavePaid(value, account)
}

/**
 * Returns whether the events of a memory that name an account show that it bought, rented or forked
 * it, or that it was bought, rented or forked for it. Where more events follow, it may have.
 */
export const mayHavePaid = ({ items, next }: Page<Event>, account: string): boolean =>
  next !== null || items.some((event) => isPayment(event, account))

function isPayment(event: Event, account: string): boolean {
  const { kind = 'royalties', payer } = paidIn(event) ?? {}
  const recipient = 'recipient' in event ? event.recipient : 'renter' in event ? event.renter : ''
  return kind !== 'royalties' && [payer, recipient].some((it) => isSameAccount(it, account))
}

/** The time between reads while the page is visible, in milliseconds: the event stream has no ratings. */
const interval = 30_000

/** Loads the newest ratings of a token, and the number of ratings for each score. */
function useRatings(tokenId: string): Resource<RatingsPage> {
  const last = useRef<RatingsPage | undefined>(undefined)
  const ratings = useResource(tokenId, async (signal) => {
    const read = await readNow('ratings', { tokenId }, { signal })
    // The same ratings are the same value, so that earlier ones that were loaded stay.
    if (JSON.stringify(read) !== JSON.stringify(last.current)) last.current = read
    return last.current ?? read
  })
  useInterval(() => document.visibilityState === 'visible' && ratings.reload(), interval)
  return ratings
}
