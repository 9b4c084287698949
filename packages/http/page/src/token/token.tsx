import type { JSX } from 'preact'
import type { Lineage, Ratings as RatingsPage, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { History } from '../activity/history.tsx'
import { type Resource, useRead } from '../api/use-resource.ts'
import { Marks, Seal, Tags } from '../browse/memory-card.tsx'
import { useTitle } from '../parts/announce.ts'
import { Loading, lazy } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ButtonLine, Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { UserText } from '../parts/user-text.tsx'
import { isReconnecting } from '../wallet/connected-wallet.ts'
import { toggleWatched, watched } from '../watch-list.ts'
import { EarlierIds, ExcerptList, MemoryFacts, Rentals } from './memory-facts.tsx'
import { PriceHistory } from './price-history.tsx'
import { ProvenanceFacts } from './provenance-facts.tsx'
import { Related } from './related.tsx'
import { OwnerPanel, TermsPanel } from './terms-panel.tsx'
import { useRatings } from './use-ratings.ts'

const LineageGraph = lazy<{ readonly lineage: Lineage }>(
  async () => (await import('../lineage/lineage-graph.tsx')).LineageGraph,
)
const OpenMemory = lazy<{ readonly lineage: Lineage }>(
  async () => (await import('../open/open-memory.tsx')).OpenMemory,
)

const Ratings = lazy<{ readonly token: Token; readonly ratings: Resource<RatingsPage> }>(
  async () => (await import('./ratings.tsx')).Ratings,
)

/** Shows a memory with everything that is known about it. */
export function TokenView({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const { value, problem } = useRead('lineage', { tokenId })
  useTitle(value === undefined ? `No. ${tokenId}` : nameOf(value.token))
  if (value === undefined || isReconnecting.value) {
    return problem === undefined ? (
      <Loading />
    ) : (
      <section class="narrow">
        <h1>No. {tokenId}</h1>
        <ProblemNotice problem={problem}>
          <p>
            <a href="/">Browse the memories</a>
          </p>
        </ProblemNotice>
        <EarlierIds tokenId={tokenId} />
      </section>
    )
  }
  return (
    <>
      <ProblemNotice problem={problem} />
      <EarlierIds tokenId={tokenId} />
      <TokenDetails lineage={value} />
    </>
  )
}

const nameOf = ({ card, tokenId }: Token) => card?.title ?? `No. ${tokenId}`

function TokenDetails({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token } = lineage
  const ratings = useRatings(token.tokenId)
  return (
    <article class="token">
      <Head token={token} />
      <MemoryFacts token={token} />
      <aside aria-label="Terms">
        <TermsPanel lineage={lineage} counts={ratings.value?.counts} />
      </aside>
      <div class="column">
        <ProvenanceFacts token={token} />
        <Preview token={token} />
        {token.sample !== null && <ExcerptList token={token} />}
        <OpenMemory lineage={lineage} />
        <OwnerPanel token={token} />
        <Ratings token={token} ratings={ratings} />
        <PriceHistory token={token} />
        <Rentals tokenId={token.tokenId} />
        <History token={token} />
        <Section id="lineage" title="Lineage">
          <LineageGraph lineage={lineage} />
        </Section>
        <Related token={token} />
      </div>
    </article>
  )
}

function Head({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, card, contentHash, originality, link, erasedAt } = token
  return (
    <header class="head">
      <Seal hash={contentHash} />
      <div>
        <p class="number">
          No. {tokenId}
          {card?.category !== undefined && (
            <>
              {' · '}
              <a href={withQuery('/', { category: card.category })}>
                <UserText of={card.category} />
              </a>
            </>
          )}
          <Marks originality={originality} isFork={link === 'fork'} isErased={erasedAt !== null} />
        </p>
        <h1>{card === null ? 'Untitled memory' : <UserText of={card.title} />}</h1>
        {card?.description !== undefined && (
          <p class="lead lines" dir="auto">
            {card.description}
          </p>
        )}
        <Tags of={card?.tags ?? []} />
        <WatchButton tokenId={tokenId} />
      </div>
    </header>
  )
}

function Preview({
  token: { card, originality, erasedAt, sample },
}: {
  readonly token: Token
}): JSX.Element | undefined {
  if (erasedAt !== null) return undefined
  if (card === null) {
    return (
      <p class="hint">
        No public description. The record of the chain is above
        {originality !== 'copied' && '; the owner and renters can open the contents'}.
      </p>
    )
  }
  if (card.preview === undefined) return undefined
  return (
    <Section id="preview" title={sample === null ? 'Sample' : 'In the words of its creator'}>
      <Sample text={card.preview} name="A sample of the memory" />
    </Section>
  )
}

/** Puts a memory on the watch list of this browser, or takes it off. */
function WatchButton({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const isWatched = watched.value.includes(tokenId)
  const name = isWatched ? '★ Stop watching' : '☆ Watch'
  return <ButtonLine name={name} onClick={() => toggleWatched(tokenId)} />
}
