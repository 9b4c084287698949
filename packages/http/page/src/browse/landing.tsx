import type { Facets, Page, Token } from '../../../src/client/responses.ts'
import { type Terms, termsOf } from '../acts/listing-terms.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Amount, Amounts } from '../parts/amount.tsx'
import { Seal } from '../parts/seal.tsx'
import { UserText } from '../parts/user-text.tsx'
import { RatingSummary } from '../token/rating-summary.tsx'
import {
  buildBrowsePath,
  buildListingsPath,
  changeQuery,
  parseBrowseQuery,
  type Sort,
} from './browse-query.ts'

/** The numbers of memories above which the most rented ones are worth a row of their own. */
const manyMemories = 12

/** Introduces the market: what it is, what one does here, and what others like. */
export function Landing({ facets }: { readonly facets: Facets | undefined }): JSX.Element {
  return (
    <>
      <section class="welcome landing">
        <div>
          <h1>Memory you can own, prove, pass on and trade</h1>
          <p class="lead">
            What AI agents have learned, for yours: buy it, rent it by the day, or fork it and share
            what you earn with its creators.
          </p>
          {facets !== undefined && facets.total > 0 && <Figures of={facets} />}
        </div>
        <Steps />
      </section>
      {facets !== undefined && facets.families > manyMemories && (
        <div class="shelves">
          <Shelf title="Best rated" sort="rated" />
          <Shelf title="Rented most" sort="rented" />
          <Shelf title="Forked most" sort="forked" />
        </div>
      )}
    </>
  )
}

/** Shows how much there is on the market, and what was done there, if anything; on one line of a laptop. */
function Figures({ of }: { readonly of: Facets }): JSX.Element {
  const number = (count: number) => count.toLocaleString('en')
  const { families, offers, isCut } = of
  const { rentals, paid } = of.market
  const isPaid = paid.native !== '0' || paid.dollar !== '0'
  return (
    <p class="hint">
      {`${isCut ? 'More than ' : ''}${number(families)} ${families === 1 ? 'memory' : 'memories'}`}
      {rentals > 0
        ? ` · ${number(rentals)} rented this week`
        : ` · ${number(offers.rent)} for rent · ${number(offers.fork)} to fork`}
      {isPaid && (
        <>
          {' · '}
          <Amounts of={paid} /> paid for memories
        </>
      )}
    </p>
  )
}

/** A hash whose seal shows what a seal looks like. */
const exampleHash = `0x${'5eed'.repeat(16)}`

/** Shows what one does here, with pictures of it. */
function Steps(): JSX.Element {
  return (
    <ol class="how" aria-label="How it works">
      <li>
        <Seal hash={exampleHash} />
        <strong>Find</strong> a memory: its seal proves what it holds.
      </li>
      <li>
        <svg class="picture" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
          <rect x="5" y="9" width="38" height="30" rx="2" />
          <path d="M5 29h38M17.7 29v10M30.3 29v10M11 16h16M11 21.5h22" />
        </svg>
        <strong>Buy, rent or fork</strong> it with one signature.
      </li>
      <li>
        <svg class="picture" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
          <path d="M6 10h26v16H18l-7 6v-6H6z" />
          <path d="M37 18h5v16h-4v5l-6-5H22" />
          <path d="M12 16h14M12 20.5h9" />
        </svg>
        <strong>Use</strong> it in your own agent: Claude, Letta, LangGraph.
      </li>
    </ol>
  )
}

type ShelfProps = { readonly title: string; readonly sort: Sort }

/** The fewest memories that make a row. */
const fewest = 3

/** Shows the first memories in an order, if there are enough. */
function Shelf({ title, sort }: ShelfProps): JSX.Element | undefined {
  const query = changeQuery(parseBrowseQuery(''), { sort })
  const path = `${buildListingsPath(query)}&limit=4`
  const { value } = useResource(path, (signal) => getJson<Page<Token>>(path, { signal }))
  if (value === undefined || value.items.length < fewest) return undefined
  return (
    <section class="shelf" aria-labelledby={sort}>
      <h2 id={sort}>
        <a class="whole" href={buildBrowsePath(query)}>
          {title}
        </a>
      </h2>
      <ul>
        {value.items.map((token) => (
          <li key={token.tokenId} data-row={`${sort}-${token.tokenId}`}>
            <Tile of={token} isRated={sort === 'rated'} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type TileProps = { readonly of: Token; readonly isRated: boolean }

function Tile({ of, isRated }: TileProps): JSX.Element {
  const { tokenId, card, contentHash, listing, renters } = of
  return (
    <a class="tile" href={`/token/${tokenId}`}>
      <Seal hash={contentHash} />
      <span>
        <strong>{card === null ? `No. ${tokenId}` : <UserText of={card.title} />}</strong>
        {listing !== null && <Cheapest of={termsOf(listing)} />}{' '}
        <small>
          {isRated && <RatingSummary tokenId={tokenId} />}
          {renters !== undefined && `${renters} ${renters === 1 ? 'renter' : 'renters'}`}
        </small>
      </span>
    </a>
  )
}

/** Shows the first price of an offer: to rent, otherwise to buy, otherwise to fork. */
function Cheapest({ of }: { readonly of: Terms }): JSX.Element {
  const isRent = of.rentalPricePerDay !== '0'
  const price = [of.rentalPricePerDay, of.price].find((it) => it !== '0') ?? of.forkPrice
  return (
    <small>
      <Amount of={price} currency={of.currency} isDue />
      {isRent && ' a day'}
    </small>
  )
}
