import type { Relative } from '../../../src/client/responses.ts'
import { OriginalityBadge } from '../browse/originality.tsx'
import { Account } from '../parts/account.tsx'
import { Button } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBps } from '../text/describe-royalties.ts'
import type { LineageItem } from './fold-lineage.ts'
import type { Fold } from './lineage-node.tsx'

type Props = {
  readonly items: readonly LineageItem[]
  readonly here: string
  readonly open: (fold: Fold) => void
}

/** Shows the lineage as nested lists. */
export function LineageText({ items, here, open }: Props): JSX.Element {
  const children = Map.groupBy(items, ({ parent }) => parent)
  return <Branch of={undefined} children={children} here={here} open={open} />
}

type BranchProps = Omit<Props, 'items'> & {
  readonly of: string | undefined
  readonly children: ReadonlyMap<string | undefined, readonly LineageItem[]>
}

function Branch({ of, ...shared }: BranchProps): JSX.Element {
  const { children, here, open } = shared
  return (
    <ul class="branch">
      {children.get(of)?.map((item) => (
        <li key={item.id} {...(item.id === here && { 'aria-current': 'true' as const })}>
          {item.kind === 'token' ? (
            <Line of={item.relative} />
          ) : (
            <Button
              name={`Show ${item.hidden.toLocaleString('en')} more`}
              onClick={() => open(item)}
            />
          )}
          {children.has(item.id) && <Branch of={item.id} {...shared} />}
        </li>
      ))}
    </ul>
  )
}

function Line({ of: { token, link } }: { readonly of: Relative }): JSX.Element {
  const { tokenId, card, creator, royaltyBps, originality } = token
  return (
    <>
      <a href={`/token/${tokenId}`}>No. {tokenId}</a>
      {card !== null && ', '}
      {card !== null && <UserText of={card.title} />}, created by <Account of={creator} />
      {link === 'fork' && `: a licensed fork with a royalty of ${formatBps(royaltyBps ?? 0)}`}
      {link === 'declared' && ': declares this parent, and owes no royalty'}
      {link === null && ': original, no parent'}
      <OriginalityBadge of={originality} />
    </>
  )
}
