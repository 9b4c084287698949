import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { badges } from '../views/originality.tsx'
import {
  box,
  type Drawing,
  findNeighbour,
  layOutLineage,
  type PlacedToken,
} from './lay-out-lineage.ts'
import { LineageText } from './lineage-text.tsx'

/** Shows the lineage as a graph with keyboard navigation, and as text. */
export function LineageGraph({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const drawing = useMemo(() => layOutLineage(lineage), [lineage])
  const { tokenId } = lineage.token
  return (
    <>
      {drawing.tokens.length === 1 ? (
        <p class="hint">No parent and no forks yet.</p>
      ) : (
        <Graph drawing={drawing} here={tokenId} />
      )}
      {lineage.isCut && <p class="hint">The lineage is longer than shown here.</p>}
      <details>
        <summary>The lineage as text</summary>
        <LineageText lineage={lineage} />
      </details>
    </>
  )
}

type GraphProps = { readonly drawing: Drawing; readonly here: string }

function Graph({ drawing, here }: GraphProps): JSX.Element {
  const [current, setCurrent] = useState(here)
  const ref = useRef<HTMLElement>(null)
  useEffect(() => centre(ref.current, here), [here])
  const move = (event: KeyboardEvent) => {
    const next = findNeighbour(drawing, current, event.key)
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    ref.current?.querySelector<SVGAElement>(`[data-token="${next}"]`)?.focus()
  }
  return (
    <section class="graph" ref={ref} aria-label="Lineage graph, navigate with the arrow keys">
      <svg
        width={drawing.width}
        height={drawing.height}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        onKeyDown={move}
      >
        <title>Lineage</title>
        {drawing.tokens.map((node) => (
          <Edge key={node.relative.token.tokenId} node={node} drawing={drawing} />
        ))}
        {drawing.tokens.map((node) => (
          <Node
            key={node.relative.token.tokenId}
            node={node}
            isHere={node.relative.token.tokenId === here}
            isCurrent={node.relative.token.tokenId === current}
            onFocus={setCurrent}
          />
        ))}
      </svg>
    </section>
  )
}

function centre(area: HTMLElement | null, here: string): void {
  const element = area?.querySelector(`[data-token="${here}"]`)
  if (!area || !element) return
  const [inner, outer] = [element.getBoundingClientRect(), area.getBoundingClientRect()]
  area.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  area.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
}

function Edge({ node, drawing }: { node: PlacedToken; drawing: Drawing }): JSX.Element | undefined {
  const parent = drawing.tokens.find((it) => it.relative.token.tokenId === node.parent)
  if (parent === undefined) return undefined
  const [x, y] = [parent.x + box.width, parent.y + box.height / 2]
  const middle = (x + node.x) / 2
  const end = node.y + box.height / 2
  return (
    <path
      class={`edge ${node.relative.link ?? 'declared'}`}
      d={`M${x} ${y}C${middle} ${y} ${middle} ${end} ${node.x} ${end}`}
    />
  )
}

type NodeProps = {
  readonly node: PlacedToken
  readonly isHere: boolean
  readonly isCurrent: boolean
  readonly onFocus: (tokenId: string) => void
}

function Node({ node, isHere, isCurrent, onFocus }: NodeProps): JSX.Element {
  const { token, link } = node.relative
  const { tokenId, card, royaltyBps, originality } = token
  const linkText = describeLink(link, royaltyBps)
  return (
    <g transform={`translate(${node.x} ${node.y})`}>
      <a
        class={isHere ? 'node here' : 'node'}
        href={`/token/${tokenId}`}
        data-token={tokenId}
        tabIndex={isCurrent ? 0 : -1}
        {...(isHere && { 'aria-current': 'true' as const })}
        onFocus={() => onFocus(tokenId)}
      >
        <rect width={box.width} height={box.height} rx="4" />
        <text class="number" x="12" y="19">
          {`No. ${tokenId}${originality === 'original' ? '' : ` · ${badges[originality]}`} `}
        </text>
        <text class="title" x="12" y="37" direction="ltr">
          {`${shortenTitle(card?.title ?? 'Untitled memory')} `}
        </text>
        <text class="how" x="12" y="53">
          {linkText}
        </text>
      </a>
    </g>
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
