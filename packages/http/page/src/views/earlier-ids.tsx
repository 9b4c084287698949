import type { JSX } from 'preact'
import type { Deployment } from '../../../src/client/responses.ts'
import { useRead } from '../api/use-resource.ts'
import { deployment } from '../deployment.ts'

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
