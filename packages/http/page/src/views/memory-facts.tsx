import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { UserText } from '../parts/user-text.tsx'
import { describeFacts } from './describe-facts.ts'

const explanations = {
  proven: 'From the labels of the memory. This server checked that the sealed memory has them.',
  committed: 'In the words of its maker. This server has not seen what is in the memory.',
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
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <UserText of={text} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">{explanations[sample.mark]}</p>
    </section>
  )
}
