import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { Loading } from '../parts/lazy.tsx'
import { Unread } from '../parts/notice.tsx'
import { Button, ButtonLine, Fold as Folded } from '../parts/section.tsx'
import { useFamily } from '../token/use-token.ts'
import { foldLineage, type OpenedFolds, useWholeLineage } from './fold-lineage.ts'
import {
  type Drawing,
  findNeighbour,
  layOutLineage,
  limitScale,
  scales,
  scaleToFit,
} from './lay-out-lineage.ts'
import { Edge, type Fold, Node } from './lineage-node.tsx'
import { LineageText } from './lineage-text.tsx'
import { Minimap, useSight } from './minimap.tsx'

/** Loads the family of a token as far as it is drawn, and shows it. */
export function LineageGraph({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const family = useFamily(tokenId)
  if (family.isLoading) return <Loading />
  return (
    <>
      <Unread what="The family" of={family} />
      {family.value !== undefined && <Family near={family.value} />}
    </>
  )
}

/** Shows the lineage as a graph that the keyboard can walk, and as text; both fold what is many. */
function Family({ near }: { readonly near: Lineage }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const whole = useWholeLineage(near, isWhole)
  const { value: lineage = near, isLoading } = whole
  const [opened, setOpened] = useState<OpenedFolds>(new Set())
  const items = useMemo(() => foldLineage(lineage, opened), [lineage, opened])
  const drawing = useMemo(() => layOutLineage(items), [items])
  const open = ({ id }: Pick<Fold, 'id'>) => setOpened(new Set([...opened, id]))
  const folds = {
    opened: opened.size,
    open,
    closeLast: () => afterFrame(() => setOpened(new Set([...opened].slice(0, -1)))),
  }
  const { tokenId } = lineage.token
  return (
    <>
      {items.length === 1 ? (
        <p class="hint">No parent and no forks yet.</p>
      ) : (
        <Graph drawing={drawing} here={tokenId} folds={folds} />
      )}
      {near.isCut && !isWhole && (
        <>
          <p class="hint">The family is large: only its nearest members are read and counted.</p>
          <ButtonLine name="Load the whole family" onClick={() => setWhole(true)} />
        </>
      )}
      <Unread what="The rest of the family" of={whole} />
      {isWhole && isLoading && <Loading what="Loading the rest of the family" />}
      {isWhole && lineage.isCut && !isLoading && (
        <p class="hint">
          The lineage is longer. The page of another memory shows what is around that one.
        </p>
      )}
      <Folded summary="The lineage as text">
        <LineageText items={items} here={tokenId} open={(fold) => afterFrame(() => open(fold))} />
      </Folded>
    </>
  )
}

/** Runs long work after the next frame, so that a press is shown before it. */
const afterFrame = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work))
}

type Folds = {
  /** The number of signs that were opened. */
  readonly opened: number
  readonly open: (fold: Fold) => void
  /** Folds again what the last opening showed. */
  readonly closeLast: () => void
}

type GraphProps = { readonly drawing: Drawing; readonly here: string; readonly folds: Folds }

function Graph({ drawing, here, folds }: GraphProps): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  const { current, setCurrent, focus } = useFocus(ref, drawing, here)
  const { scale, zoom, fit, recentre } = useZoom(ref, { drawing, here, current })
  const sight = useSight(ref, drawing, scale)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = findNeighbour(drawing, current, event.key)
    const act = next === undefined ? zoomKeys({ zoom, fit })[event.key] : () => focus(next)
    if (act === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }
  const open = (fold: Fold) => {
    folds.open(fold)
    focus(fold.first)
  }
  const showFewer = () => {
    folds.closeLast()
    recentre()
    // The button is gone with the last of them.
    if (folds.opened === 1) focus(here)
  }
  return (
    <>
      <section
        class="graph"
        ref={ref}
        aria-label="Lineage graph, navigate with the arrow keys, zoom with plus, minus and 0"
      >
        <Canvas
          drawing={drawing}
          scale={scale}
          here={here}
          current={current}
          setCurrent={setCurrent}
          onKeyDown={onKeyDown}
          open={open}
        />
      </section>
      {(sight !== undefined || scale !== 1 || folds.opened > 0) && (
        <div class="overview">
          <p class="buttons">
            <Button name="Zoom in" onClick={() => zoom(scales.step)} />
            <Button name="Zoom out" onClick={() => zoom(1 / scales.step)} />
            <Button name="Fit" onClick={fit} />
            {folds.opened > 0 && <Button name="Show fewer" onClick={showFewer} />}
          </p>
          {sight !== undefined && (
            <Minimap drawing={drawing} sight={sight} scale={scale} frame={ref} />
          )}
        </div>
      )}
    </>
  )
}

type Zoomed = { readonly drawing: Drawing; readonly here: string; readonly current: string }

/** Keeps the scale of a drawing, and the chosen item in the middle when it changes. */
function useZoom(ref: RefObject<HTMLElement | null>, { drawing, here, current }: Zoomed) {
  const [view, setView] = useState<{ readonly scale: number; readonly isFit: boolean }>({
    scale: 1,
    isFit: true,
  })
  const { scale } = view
  useEffect(() => centre(ref.current, view.isFit ? here : current), [here, view])
  return {
    scale,
    zoom: (by: number) => setView({ scale: limitScale(scale * by), isFit: false }),
    fit: () => setView({ scale: scaleToFit(ref.current, drawing), isFit: true }),
    recentre: () => setView({ scale, isFit: false }),
  }
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

type CanvasProps = Omit<GraphProps, 'folds'> &
  Pick<Folds, 'open'> & {
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

type Zoom = { readonly zoom: (by: number) => void; readonly fit: () => void }

const zoomKeys = ({ zoom, fit }: Zoom): Readonly<Record<string, (() => void) | undefined>> => ({
  '+': () => zoom(scales.step),
  '=': () => zoom(scales.step),
  '-': () => zoom(1 / scales.step),
  '0': fit,
})

const itemIn = (frame: HTMLElement | null, id: string) =>
  frame?.querySelector<SVGElement>(`[data-item="${id}"]`)

function centre(frame: HTMLElement | null, id: string): void {
  const element = itemIn(frame, id)
  if (!frame || !element) return
  const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()]
  frame.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
}
