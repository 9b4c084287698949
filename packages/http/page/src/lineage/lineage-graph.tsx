import type { JSX, RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { foldLineage, type OpenedFolds } from './fold-lineage.ts'
import { type Drawing, findNeighbour, layOutLineage } from './lay-out-lineage.ts'
import { Edge, type Fold, Node } from './lineage-node.tsx'
import { LineageText } from './lineage-text.tsx'
import { Minimap } from './minimap.tsx'
import { useSight } from './use-sight.ts'
import { useWholeLineage } from './whole-lineage.ts'

/** Shows the lineage as a graph that the keyboard can walk, and as text; both fold what is many. */
export function LineageGraph({ lineage: near }: { readonly lineage: Lineage }): JSX.Element {
  const { value: lineage = near, problem, isLoading } = useWholeLineage(near)
  const [opened, setOpened] = useState<OpenedFolds>(new Set())
  const items = useMemo(() => foldLineage(lineage, opened), [lineage, opened])
  const drawing = useMemo(() => layOutLineage(items), [items])
  const [isRead, setRead] = useState(false)
  const open = ({ id }: Pick<Fold, 'id'>) => setOpened(new Set([...opened, id]))
  const { tokenId } = lineage.token
  return (
    <>
      {items.length === 1 ? (
        <p class="hint">No parent and no forks yet.</p>
      ) : (
        <Graph drawing={drawing} here={tokenId} open={open} />
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {near.isCut && isLoading && <Loading what="Loading the rest of the family" />}
      {lineage.isCut && !isLoading && (
        <p class="hint">
          The lineage is longer than shown here. The page of another memory in it shows what is
          around that one.
        </p>
      )}
      <details onToggle={({ currentTarget }) => setRead(currentTarget.open)}>
        <summary>The lineage as text</summary>
        {isRead && <LineageText items={items} here={tokenId} open={open} />}
      </details>
    </>
  )
}

type GraphProps = {
  readonly drawing: Drawing
  readonly here: string
  readonly open: (fold: Fold) => void
}

/** The factors by which a drawing is smaller or larger. */
const scales = { least: 0.1, most: 2, step: 1.25 } as const

function Graph({ drawing, here, open }: GraphProps): JSX.Element {
  const [scale, setScale] = useState(1)
  const ref = useRef<HTMLElement>(null)
  const sight = useSight(ref, drawing, scale)
  const { current, setCurrent, focus } = useFocus(ref, drawing, here)
  useEffect(() => centre(ref.current, current), [here, scale])
  const zoom = (by: number) =>
    setScale((now) => Math.min(scales.most, Math.max(scales.least, now * by)))
  const fit = () => setScale(scaleToFit(ref.current, drawing))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = findNeighbour(drawing, current, event.key)
    const act = next === undefined ? zoomKeys({ zoom, fit })[event.key] : () => focus(next)
    if (act === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }
  const openAndMove = (fold: Fold) => {
    open(fold)
    focus(fold.first)
  }
  const moveTo = (x: number, y: number) => {
    const { clientWidth = 0, clientHeight = 0 } = ref.current ?? {}
    ref.current?.scrollTo(x * scale - clientWidth / 2, y * scale - clientHeight / 2)
  }
  return (
    <>
      <section
        class="graph"
        ref={ref}
        aria-label="Lineage graph, navigate with the arrow keys, zoom with plus, minus and 0"
      >
        <Canvas {...{ drawing, scale, here, current, setCurrent, onKeyDown, open: openAndMove }} />
      </section>
      {(sight !== undefined || scale !== 1) && (
        <div class="overview">
          <ZoomButtons zoom={zoom} fit={fit} />
          {sight !== undefined && <Minimap drawing={drawing} sight={sight} moveTo={moveTo} />}
        </div>
      )}
    </>
  )
}

/** Keeps which item the Tab key leads to; `focus` moves to one as soon as it is drawn. */
function useFocus(ref: RefObject<HTMLElement | null>, drawing: Drawing, here: string) {
  const [chosen, setCurrent] = useState(here)
  const [awaited, setAwaited] = useState<{ readonly id: string }>()
  useEffect(() => {
    if (awaited !== undefined) itemIn(ref.current, awaited.id)?.focus()
  }, [awaited])
  // What was chosen may be folded away, when the lineage changes.
  const current = drawing.items.has(chosen) ? chosen : here
  const focus = (id: string) => {
    const element = itemIn(ref.current, id)
    if (element) element.focus()
    else setAwaited({ id })
  }
  return { current, setCurrent, focus }
}

type CanvasProps = GraphProps & {
  readonly scale: number
  readonly current: string
  readonly setCurrent: (id: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Canvas({ drawing, scale, here, current, setCurrent, onKeyDown, open }: CanvasProps) {
  const { width, height, items } = drawing
  return (
    <svg
      width={width * scale}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
      onKeyDown={onKeyDown}
    >
      <title>Lineage</title>
      {[...items].map(([id, placed]) => (
        <Edge key={id} placed={placed} drawing={drawing} />
      ))}
      {[...items].map(([id, placed]) => (
        <Node
          key={id}
          placed={placed}
          isHere={id === here}
          isCurrent={id === current}
          onFocus={setCurrent}
          open={open}
        />
      ))}
    </svg>
  )
}

function ZoomButtons({ zoom, fit }: Zoom): JSX.Element {
  return (
    <p class="buttons">
      <button type="button" onClick={() => zoom(scales.step)}>
        Zoom in
      </button>
      <button type="button" onClick={() => zoom(1 / scales.step)}>
        Zoom out
      </button>
      <button type="button" onClick={fit}>
        Fit
      </button>
    </p>
  )
}

type Zoom = { readonly zoom: (by: number) => void; readonly fit: () => void }

const zoomKeys = ({ zoom, fit }: Zoom): Readonly<Record<string, (() => void) | undefined>> => ({
  '+': () => zoom(scales.step),
  '=': () => zoom(scales.step),
  '-': () => zoom(1 / scales.step),
  '0': fit,
})

function scaleToFit(frame: HTMLElement | null, { width, height }: Drawing): number {
  if (frame === null) return 1
  const fitting = Math.min(frame.clientWidth / width, frame.clientHeight / height)
  return Math.min(1, Math.max(scales.least, fitting))
}

const itemIn = (frame: HTMLElement | null, id: string) =>
  frame?.querySelector<SVGElement>(`[data-item="${id}"]`)

function centre(frame: HTMLElement | null, id: string): void {
  const element = itemIn(frame, id)
  if (!frame || !element) return
  const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()]
  frame.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
}
