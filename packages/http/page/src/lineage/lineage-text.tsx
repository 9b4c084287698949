import type { JSX } from 'preact'
import type { Lineage, Relative } from '../../../src/client/responses.ts'
import { Account } from '../parts/account.tsx'
import { Words } from '../parts/user-text.tsx'
import { percentOfBps } from '../text/describe-split.ts'
import { OriginalityBadge } from '../views/originality.tsx'
import { kinOf } from './lay-out-lineage.ts'

/** The lineage as a list inside lists. */
export function LineageText({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const kin = kinOf(lineage)
  const known = new Set(kin.map(({ token }) => token.tokenId))
  const roots = kin.filter(({ token }) => !known.has(token.parent))
  return <Branch of={roots} kin={kin} here={lineage.token.tokenId} />
}

type Props = {
  readonly of: readonly Relative[]
  readonly kin: readonly Relative[]
  readonly here: string
}

function Branch({ of, kin, here }: Props): JSX.Element | undefined {
  if (of.length === 0) return undefined
  return (
    <ul class="branch">
      {of.map((relative) => {
        const { tokenId } = relative.token
        return (
          <li key={tokenId} {...(tokenId === here && { 'aria-current': 'true' as const })}>
            <Line of={relative} />
            <Branch
              of={kin.filter(({ token }) => token.parent === tokenId)}
              kin={kin}
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
          , <Words of={card.title} />
        </>
      )}
      , made by <Account of={creator} />
      {link === 'fork' &&
        `: a licensed fork, which added a royalty of ${percentOfBps(royaltyBps ?? 0)}`}
      {link === 'declared' && ': names it as its parent, and owes nothing'}
      {link === null && ': a root'}
      <OriginalityBadge of={originality} />
    </>
  )
}
