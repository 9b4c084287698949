import { readFacts } from '@heirloom/core'
import type { ComponentChildren } from 'preact'
import type { Listed, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { type Terms, termsOf } from '../acts/listing-terms.ts'
import { AccountText } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { AccountSeal, Seal } from '../parts/seal.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBps } from '../text/describe-royalties.ts'
import { RatingSummary } from '../token/rating-summary.tsx'
import { describeKind } from './describe-facts.ts'
import { OriginalityBadge } from './originality.tsx'

type Props = {
  readonly token: Token
  /** Describes what follows the offers. */
  readonly children?: ComponentChildren
}

/** Shows a memory as a card; a memory that is not minted yet has an empty number. */
export function MemoryCard({ token, children }: Props): JSX.Element {
  const { tokenId, card, listing, contentHash, erasedAt } = token
  const title = card === null ? 'Untitled memory' : <UserText of={card.title} />
  const isMinted = tokenId !== ''
  return (
    <article class="memory">
      <Seal hash={contentHash} />
      <p class="number">
        No. {isMinted ? tokenId : '…'}
        <Category of={card} />
      </p>
      <h3>{isMinted ? <a href={`/token/${tokenId}`}>{title}</a> : title}</h3>
      <Description card={card} />
      {erasedAt === null && <Kind of={token} />}
      <Tags of={card?.tags ?? []} />
      <div class="by">
        <p>
          <Origin of={token} />
          <Marks of={token} />
        </p>
        <p>
          <Made of={token} />
          <RatingSummary tokenId={tokenId} />
        </p>
      </div>
      {listing !== null && erasedAt === null && <Offers of={listing} />}
      {children}
    </article>
  )
}

type OfToken = { readonly of: Token }

/** Names who made a memory; of a fork, who made the original, since the forker only paid for it. */
function Origin({ of: { creator, source } }: OfToken): JSX.Element {
  const maker = source?.creator ?? creator
  return (
    <span>
      {source === undefined ? 'by' : 'Original by'} <AccountSeal of={maker} />{' '}
      <a class="over" href={`/account/${maker}`} title={maker}>
        <AccountText of={maker} />
      </a>
    </span>
  )
}

/** Shows when a memory was created; of a fork, when it was forked. */
export const Made = ({ of: { timestamp, source } }: OfToken): JSX.Element => (
  <span>
    {source !== undefined && 'forked '}
    <Moment at={timestamp} />
  </span>
)

/**
 * Shows the format and the counts of a memory, where its creator shows them. Whatever the mark of the
 * excerpts, nobody checked that these labels are true.
 */
function Kind({ of: { sample } }: OfToken): JSX.Element | undefined {
  const kind = describeKind(sample?.excerpts ?? [])
  if (kind === '') return undefined
  return (
    <p class="kind" title="Labels are the words of its maker.">
      <KindIcon format={readFacts(sample?.excerpts ?? []).format ?? ''} />
      <span class="unseen">Its maker says: </span>
      {kind}
    </p>
  )
}

/** The drawings of kinds of memories: what is said, files, a graph, and an agent. */
const drawings = {
  chat: 'M4 5h16v11H11l-4 4v-4H4z',
  files: 'M3 6h7l2 2h9v11H3z',
  graph:
    'M8 7l8 2M7.5 8.5l3 7M16.5 11l-4 5M4 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M16 9a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  agent: 'M5 9h14v10H5zM12 9V5M9 13v2M15 13v2',
} as const

const formatsOf: { readonly [drawing in keyof typeof drawings]: readonly string[] } = {
  chat: ['chatgpt', 'claude'],
  files: ['markdown', 'llama-index'],
  graph: ['mcp-memory', 'graphiti', 'cognee', 'cogx'],
  agent: ['letta-af', 'eliza'],
}
const kinds = Object.keys(drawings) as (keyof typeof drawings)[]

function KindIcon({ format }: { readonly format: string }): JSX.Element | undefined {
  const drawing = kinds.find((it) => formatsOf[it].includes(format))
  if (drawing === undefined) return undefined
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawings[drawing]} />
    </svg>
  )
}

function Description({ card }: Pick<Token, 'card'>): JSX.Element | undefined {
  if (card === null) {
    return <p class="description">Its creator has published no description.</p>
  }
  if (card.description === undefined) return undefined
  return (
    <p class="description" dir="auto">
      {card.description}
    </p>
  )
}

export function Marks({ of: { originality, link, erasedAt } }: OfToken): JSX.Element {
  return (
    <>
      {erasedAt !== null && (
        <span class="badge copied" title="Its memory was erased for its owner.">
          erased
        </span>
      )}
      {link === 'fork' && <span class="badge">fork</span>}
      <OriginalityBadge of={originality} />
    </>
  )
}

/** Shows the category of a memory after its number. */
export function Category({ of }: { readonly of: Token['card'] }): JSX.Element | undefined {
  if (of?.category === undefined) return undefined
  return (
    <>
      {' · '}
      <a class="over" href={withQuery('/', { category: of.category })}>
        <UserText of={of.category} />
      </a>
    </>
  )
}

export function Tags({ of }: { readonly of: readonly string[] }): JSX.Element | undefined {
  if (of.length === 0) return undefined
  return (
    <ul class="tags" aria-label="Tags">
      {of.map((tag) => (
        <li key={tag}>
          <a class="over" href={withQuery('/', { tag })}>
            <UserText of={tag} />
          </a>
        </li>
      ))}
    </ul>
  )
}

function Offers({ of }: { readonly of: Listed }): JSX.Element {
  const terms = termsOf(of)
  return (
    <dl class="offers">
      <Offer name="Buy" price={terms.price} terms={terms} />
      <Offer name="Rent per day" price={terms.rentalPricePerDay} terms={terms} />
      <Offer name="Fork" price={terms.forkPrice} terms={terms}>
        {formatBps(of.totalRoyaltyBps)} royalty
      </Offer>
    </dl>
  )
}

type OfferProps = {
  readonly name: string
  readonly price: string
  readonly terms: Pick<Terms, 'currency'>
  /** The royalty that a forker owes later. */
  readonly children?: ComponentChildren
}

function Offer({ name, price, terms, children }: OfferProps): JSX.Element | undefined {
  if (price === '0') return undefined
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount of={price} currency={terms.currency} isDue />
      </dd>
      {children !== undefined && <dd class="owed">{children}</dd>}
    </div>
  )
}
