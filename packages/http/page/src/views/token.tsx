import type { JSX } from 'preact'
import type { Lineage, Token } from '../../../src/client/responses.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { lazy, Waiting } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Sample } from '../parts/sample.tsx'
import { Seal } from '../parts/seal.tsx'
import { Words } from '../parts/user-text.tsx'
import { useTitle } from '../use-title.ts'
import { History } from './history.tsx'
import { Marks, Tags } from './memory-card.tsx'
import { ProvenanceFacts } from './provenance-facts.tsx'
import { Rentals } from './rentals.tsx'
import { TermsPanel } from './terms-panel.tsx'

const LineageGraph = lazy<{ readonly lineage: Lineage }>(
  async () => (await import('../lineage/lineage-graph.tsx')).LineageGraph,
)
const OpenMemory = lazy<{ readonly token: Token }>(
  async () => (await import('../open/open-memory.tsx')).OpenMemory,
)

/** All there is to see of a memory. */
export function TokenView({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const path = `/api/memory/${tokenId}/lineage`
  const { value, problem } = useAsked(path, (signal) => ask<Lineage>(path, signal))
  useTitle(value === undefined ? `No. ${tokenId}` : nameOf(value.token))
  if (value === undefined) {
    return problem === undefined ? (
      <Waiting />
    ) : (
      <section class="narrow">
        <h1>No. {tokenId}</h1>
        <ProblemNotice problem={problem} />
      </section>
    )
  }
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Told lineage={value} />
    </>
  )
}

const nameOf = ({ card, tokenId }: Token) => card?.title ?? `No. ${tokenId}`

function Told({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const { token } = lineage
  return (
    <article class="token">
      <Head token={token} />
      <div class="columns">
        <div class="column">
          <Preview token={token} />
          <OpenMemory token={token} />
          <ProvenanceFacts token={token} />
          <section aria-labelledby="lineage">
            <h2 id="lineage">Lineage</h2>
            <LineageGraph lineage={lineage} />
          </section>
          <History tokenId={token.tokenId} />
        </div>
        <aside class="column" aria-label="Terms">
          <TermsPanel lineage={lineage} />
          <Rentals tokenId={token.tokenId} />
        </aside>
      </div>
    </article>
  )
}

function Head({ token }: { readonly token: Token }): JSX.Element {
  const { tokenId, card, contentHash, originality, link } = token
  return (
    <header class="head">
      <Seal hash={contentHash} />
      <div>
        <p class="number">
          No. {tokenId}
          {card?.category !== undefined && (
            <>
              {' · '}
              <Words of={card.category} />
            </>
          )}
          <Marks originality={originality} isFork={link === 'fork'} />
        </p>
        <h1>{card === null ? 'A memory without a card' : <Words of={card.title} />}</h1>
        {card?.description !== undefined && (
          <p class="lead lines" dir="auto">
            {card.description}
          </p>
        )}
        <Tags of={card?.tags ?? []} />
      </div>
    </header>
  )
}

function Preview({
  token: { card, originality },
}: {
  readonly token: Token
}): JSX.Element | undefined {
  if (card === null) {
    return (
      <p class="hint">
        Its maker shows nothing of it. What the chain proves is below
        {originality !== 'copied' && '; what is inside opens to its owner and to those who rent it'}
        .
      </p>
    )
  }
  if (card.preview === undefined) return undefined
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">A sample</h2>
      <Sample text={card.preview} name="A sample of the memory" />
    </section>
  )
}
