import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { UserText } from '../parts/user-text.tsx'
import { describeFacts, type Fact } from './describe-facts.ts'

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
    <section aria-labelledby="about">
      <h2 id="about">What it is</h2>
      <dl class="about">
        {facts.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <FactText of={fact} />
          </div>
        ))}
      </dl>
      <p class="hint">{explanations[sample.mark]}</p>
    </section>
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
