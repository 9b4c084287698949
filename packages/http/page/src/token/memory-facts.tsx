import { hash, isUnderRoot, readFacts } from '@heirloom/core'
import type { JSX } from 'preact'
import { sha256Fallback } from '../../../src/client/content-hash.ts'
import type { Deployment, Excerpts, Token } from '../../../src/client/responses.ts'
import { deployment } from '../api/deployment.ts'
import { useRead } from '../api/use-resource.ts'
import { describeFacts, type Fact } from '../browse/describe-facts.ts'
import { Account } from '../parts/account.tsx'
import { Countdown } from '../parts/moment.tsx'
import { Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { UserText } from '../parts/user-text.tsx'

const explanations = {
  proven:
    'Labels are the words of its maker. This server checked that the sealed memory has these labels, not that they are true.',
  committed:
    'Labels are the words of its maker. This server has not seen what is in the memory, and checked none of them.',
}

/** Shows what a memory is, as far as its creator shows that: format, counts, agent and version. */
export function MemoryFacts({
  token: { sample, erasedAt },
}: {
  readonly token: Token
}): JSX.Element | undefined {
  const facts = describeFacts(sample?.excerpts ?? [])
  if (sample === null || facts.length === 0 || erasedAt !== null) return undefined
  return (
    <Section id="about" title="What it is">
      <dl class="about">
        {facts.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <FactText of={fact} />
          </div>
        ))}
      </dl>
      <p class="hint">{explanations[sample.mark]}</p>
    </Section>
  )
}

function FactText({ of: { known, words } }: { readonly of: Fact }): JSX.Element {
  return (
    <dd>
      {known}
      {words !== undefined && (
        <>
          {known !== undefined && '; '}
          <span class="hint">its labels say: </span>
          <UserText of={words} />
        </>
      )}
    </dd>
  )
}

/** Leads from the number of a token before its memories were moved to the token that it is here. */
export function EarlierIds({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const registries = deployment.value?.earlierRegistries ?? []
  return (
    <>
      {registries.map((it) => (
        <EarlierId key={it.registry} registry={it} tokenId={tokenId} />
      ))}
    </>
  )
}

type Earlier = {
  readonly registry: Deployment['earlierRegistries'][number]
  readonly tokenId: string
}

function EarlierId({ registry: of, tokenId }: Earlier): JSX.Element | undefined {
  const { value } = useRead('provenanceOfRegistry', {
    chainId: `${of.chainId}`,
    registry: of.registry,
    tokenId,
  })
  if (value === undefined || value.tokenId === tokenId) return undefined
  return (
    <p class="hint" role="note">
      In a link from before this server moved, No. {tokenId} is another memory: it is{' '}
      <a href={`/token/${value.tokenId}`}>No. {value.tokenId}</a> here.
    </p>
  )
}

/** Shows the excerpts of a memory, after their proofs were checked in this browser. */
export function ExcerptList({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { value } = useRead('excerpts', { tokenId: token.tokenId })
  if (value === undefined || value.mark === null) return undefined
  const isChecked = areUnderRoot(value)
  // Facts are shown beside the terms, unless something is wrong with them.
  const shown = value.excerpts.filter(
    (it) => !isChecked || Object.keys(readFacts([it])).length === 0,
  )
  if (shown.length === 0) return undefined
  return (
    <section aria-labelledby="excerpts">
      <h2 id="excerpts">
        Sample <span class="badge">{isChecked ? value.mark : 'not proven'}</span>
      </h2>
      <p class="hint">{isChecked ? explanation[value.mark] : unproven}</p>
      {shown.map((it) => (
        <div key={it.pointer}>
          <p class="number">
            <code class="wrap">{it.pointer}</code>
          </p>
          <Sample text={it.value} name={`The value at ${it.pointer}`} />
        </div>
      ))}
    </section>
  )
}

const explanation = {
  proven: 'This server checked that these values are in the memory when it sealed it.',
  committed:
    'The sealed memory commits to these values, but this server has not seen what is in it. Whoever opens it finds out whether they are true.',
}

const unproven = 'The proofs of these values are wrong. Do not trust them, and tell the operator.'

function areUnderRoot({ root, excerpts }: Excerpts): boolean {
  return root !== null && excerpts.every((it) => isUnderRoot(it, hash(root), sha256Fallback))
}

/** Shows the current rentals of a memory. */
export function Rentals({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const { value } = useRead('rentals', { tokenId })
  const items = value?.items ?? []
  return (
    <Section id="rentals" title="Current rentals" class="panel">
      {items.length === 0 && <p class="hint">No current rentals.</p>}
      <ul class="ledger">
        {items.map(({ renter, expiresAt }) => (
          <li key={renter}>
            <span>
              <Account of={renter} />
            </span>
            <span>
              <Countdown at={expiresAt} /> left
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
