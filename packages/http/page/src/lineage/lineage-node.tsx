import type { JSX } from 'preact'
import { badges } from '../views/originality.tsx'
import type { LineageItem } from './fold-lineage.ts'
import { box, type Drawing, type PlacedItem } from './lay-out-lineage.ts'

/** Draws the line from an item to what it follows. */
export function Edge({ placed, drawing }: { placed: PlacedItem; drawing: Drawing }) {
  const { item, x: endX, y } = placed
  const parent = item.parent === undefined ? undefined : drawing.items.get(item.parent)
  if (parent === undefined) return undefined
  const [startX, startY] = [parent.x + box.width, parent.y + box.height / 2]
  const middle = (startX + endX) / 2
  const endY = y + box.height / 2
  const link = item.kind === 'token' ? (item.relative.link ?? 'declared') : 'fork'
  return (
    <path
      class={`edge ${link}`}
      d={`M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`}
    />
  )
}

type Props = {
  readonly placed: PlacedItem
  readonly isHere: boolean
  /** Whether the Tab key leads to it. */
  readonly isCurrent: boolean
  readonly onFocus: (id: string) => void
  readonly open: (fold: Fold) => void
}

/** A sign for tokens that are not shown. */
export type Fold = Extract<LineageItem, { kind: 'fold' }>

/** Draws a token as a link to its page, or a sign that shows more of them. */
export function Node({ placed, isHere, isCurrent, onFocus, open }: Props): JSX.Element {
  const { item, x, y } = placed
  const common = {
    'data-item': item.id,
    tabIndex: isCurrent ? 0 : -1,
    onFocus: () => onFocus(item.id),
  }
  return (
    <g transform={`translate(${x} ${y})`}>
      {item.kind === 'fold' ? (
        // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own.
        <g
          class="node fold"
          role="button"
          {...common}
          onClick={() => open(item)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return
            event.preventDefault()
            open(item)
          }}
        >
          <rect width={box.width} height={box.height} rx="4" />
          <text class="title" x="12" y="36">
            {`Show ${item.hidden.toLocaleString('en')} more`}
          </text>
        </g>
      ) : (
        <a
          class={isHere ? 'node here' : 'node'}
          href={`/token/${item.id}`}
          data-token={item.id}
          {...common}
          {...(isHere && { 'aria-current': 'true' as const })}
        >
          <rect width={box.width} height={box.height} rx="4" />
          <Label of={item} />
        </a>
      )}
    </g>
  )
}

function Label({ of }: { readonly of: Extract<LineageItem, { kind: 'token' }> }): JSX.Element {
  const { token, link } = of.relative
  const { tokenId, card, royaltyBps, originality } = token
  return (
    <>
      <text class="number" x="12" y="19">
        {`No. ${tokenId}${originality === 'original' ? '' : ` · ${badges[originality]}`} `}
      </text>
      <text class="title" x="12" y="37" direction="ltr">
        {`${shortenTitle(card?.title ?? 'Untitled memory')} `}
      </text>
      <text class="how" x="12" y="53">
        {describeLink(link, royaltyBps)}
      </text>
    </>
  )
}

function describeLink(link: 'fork' | 'declared' | null, royaltyBps: number | null): string {
  if (link === null) return 'original'
  return link === 'fork' ? `fork, adds ${(royaltyBps ?? 0) / 100} %` : 'declared'
}

const longestTitle = 21

/** Shortens a title and isolates it, so that right-to-left text does not affect its surroundings. */
function shortenTitle(title: string): string {
  const letters = [...title]
  const text =
    letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : title
  return `\u{2068}${text}\u{2069}`
}
