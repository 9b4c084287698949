import type { Deployment, Token } from '../../../src/client/responses.ts'
import { deployment } from '../api/deployment.ts'
import { useRead } from '../api/use-resource.ts'
import { describeFacts } from '../browse/describe-facts.ts'
import { FactRow, Section } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'

const explanations = {
  proven:
    'Labels are the words of its maker. This server checked that the sealed memory has these labels, not that they are true.',
  committed:
    'Labels are the words of its maker. This server has not seen what is in the memory, and checked none of them.',
}

/** Shows what a memory is, as far as its creator shows that: format, counts, agent and version. */
export function MemoryFacts({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { sample, erasedAt } = token
  const facts = describeFacts(sample?.excerpts ?? [])
  if (sample === null || facts.length === 0 || erasedAt !== null) return undefined
  return (
    <Section id="about" title="What it is">
      <dl class="about">
        {facts.map(({ name, known, words }) => (
          <FactRow key={name} name={name}>
            {known}
            {known !== undefined && words !== undefined && '; '}
            {words !== undefined && <span class="hint">its labels say: </span>}
            {words !== undefined && <UserText of={words} />}
          </FactRow>
        ))}
      </dl>
      <p class="hint">{explanations[sample.mark]}</p>
    </Section>
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
