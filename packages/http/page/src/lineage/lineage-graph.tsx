import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { badges } from '../views/originality.tsx'
import { box, type Drawing, drawn, neighbour, type Place } from './lay-out-lineage.ts'
import { LineageText } from './lineage-text.tsx'

/** The lineage as a graph to walk through, and the same in words. */
export function LineageGraph({ lineage }: { readonly lineage: Lineage }): JSX.Element {
  const drawing = useMemo(() => drawn(lineage), [lineage])
  const { tokenId } = lineage.token
  return (
    <>
      {drawing.places.length === 1 ? (
        <p class="hint">It grew from nothing that is told here, and nothing grew from it yet.</p>
      ) : (
        <Graph drawing={drawing} here={tokenId} />
      )}
      {lineage.isCut && <p class="hint">There is more kin than is shown here.</p>}
      <details>
        <summary>The lineage in words</summary>
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
    const next = neighbour(drawing, current, event.key)
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    ref.current?.querySelector<SVGAElement>(`[data-token="${next}"]`)?.focus()
  }
  return (
    <section class="graph" ref={ref} aria-label="Lineage graph; arrow keys walk through it">
      <svg
        width={drawing.width}
        height={drawing.height}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        onKeyDown={move}
      >
        <title>Lineage</title>
        {drawing.places.map((place) => (
          <Edge key={place.relative.token.tokenId} place={place} drawing={drawing} />
        ))}
        {drawing.places.map((place) => (
          <Node
            key={place.relative.token.tokenId}
            place={place}
            isHere={place.relative.token.tokenId === here}
            isCurrent={place.relative.token.tokenId === current}
            onFocus={setCurrent}
          />
        ))}
      </svg>
    </section>
  )
}

function centre(area: HTMLElement | null, here: string): void {
  const node = area?.querySelector(`[data-token="${here}"]`)
  if (!area || !node) return
  const [inner, outer] = [node.getBoundingClientRect(), area.getBoundingClientRect()]
  area.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  area.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
}

function Edge({ place, drawing }: { place: Place; drawing: Drawing }): JSX.Element | undefined {
  const parent = drawing.places.find((it) => it.relative.token.tokenId === place.parent)
  if (parent === undefined) return undefined
  const [x, y] = [parent.x + box.width, parent.y + box.height / 2]
  const middle = (x + place.x) / 2
  const end = place.y + box.height / 2
  return (
    <path
      class={`edge ${place.relative.link ?? 'declared'}`}
      d={`M${x} ${y}C${middle} ${y} ${middle} ${end} ${place.x} ${end}`}
    />
  )
}

type NodeProps = {
  readonly place: Place
  readonly isHere: boolean
  readonly isCurrent: boolean
  readonly onFocus: (tokenId: string) => void
}

function Node({ place, isHere, isCurrent, onFocus }: NodeProps): JSX.Element {
  const { token, link } = place.relative
  const { tokenId, card, royaltyBps, originality } = token
  const how = howWords(link, royaltyBps)
  return (
    <g transform={`translate(${place.x} ${place.y})`}>
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
          {`${shortened(card?.title ?? 'Without a card')} `}
        </text>
        <text class="how" x="12" y="53">
          {how}
        </text>
      </a>
    </g>
  )
}

function howWords(link: 'fork' | 'declared' | null, royaltyBps: number | null): string {
  if (link === null) return 'root'
  return link === 'fork' ? `fork, adds ${(royaltyBps ?? 0) / 100} %` : 'declared'
}

const longest = 21

/** Isolated, so that a title that runs from right to left leaves what is around it alone. */
function shortened(title: string): string {
  const letters = [...title]
  const text = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : title
  return `\u{2068}${text}\u{2069}`
}
