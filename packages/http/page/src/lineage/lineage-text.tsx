import type { JSX } from 'preact'
import type { Lineage, Relative } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBps } from '../text/describe-split.ts'
import { OriginalityBadge } from '../views/originality.tsx'
import { listRelatives } from './lay-out-lineage.ts'

/** Shows the lineage as nested lists. */
export function LineageText({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const relatives = listRelatives(lineage)
  const known = new Set(relatives.map(({ token }) => token.tokenId))
  const roots = relatives.filter(({ token }) => !known.has(token.parent))
  return <Branch of={roots} relatives={relatives} here={lineage.token.tokenId} />
}

type Props = {
  readonly of: readonly Relative[]
  readonly relatives: readonly Relative[]
  readonly here: string
}

function Branch({ of, relatives, here }: Props): JSX.Element | undefined {
  if (of.length === 0) return undefined
  return (
    <ul class="branch">
      {of.map((relative) => {
        const { tokenId } = relative.token
        return (
          <li key={tokenId} {...(tokenId === here && { 'aria-current': 'true' as const })}>
            <Line of={relative} />
            <Branch
              of={relatives.filter(({ token }) => token.parent === tokenId)}
              relatives={relatives}
              here={here}
            />
          </li>
        )
      })}
    </ul>
  )
}

function Line({ of: { token, link } }: { readonly of: Relative }): JSX.Element {
  const { tokenId, card, creator, royaltyBps, originality } = token
  return (
    <>
      <a href={`/token/${tokenId}`}>No. {tokenId}</a>
      {card !== null && (
        <>
          , <UserText of={card.title} />
        </>
      )}
      , created by <Account of={creator} />
      {link === 'fork' && `: a licensed fork with a royalty of ${formatBps(royaltyBps ?? 0)}`}
      {link === 'declared' && ': declares this parent, and owes no royalty'}
      {link === null && ': original, no parent'}
      <OriginalityBadge of={originality} />
    </>
  )
}
