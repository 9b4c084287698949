import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import type { RowView } from './preview-node.ts'
import type { ChangeTree, TreeState, ViewerCalls } from './use-viewer.ts'

type Props = {
  readonly calls: ViewerCalls
  readonly tree: TreeState
  readonly change: ChangeTree
  readonly setChosen: (row: RowView) => void
}

/** The rows above and below the visible ones that are shown too. */
const margin = 8

/** Shows the rows of a tree that are in its frame; the others are not in the document. */
export function TreeView({ calls, tree, change, setChosen }: Props): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  const { frame, setScroll } = useFrame(ref, tree.count)
  const first = firstRow(frame)
  const [from, to] = [first - margin, first + frame.visible + margin]
  const rows = useAnswer(() => calls.rows({ from, to }), [tree.version, from, to]).last ?? []
  const chosen = rows.find(({ row }) => row === tree.row)
  useEffect(() => {
    if (chosen !== undefined) setChosen(chosen)
  }, [chosen])
  useEffect(() => {
    const top = scrollFor(frame, tree.row, ref.current?.scrollTop ?? 0)
    if (top !== undefined) ref.current?.scrollTo({ top })
  }, [tree.row, tree.version])
  const choose = (row: number) => change({ count: tree.count, row })
  const toggle = async ({ row, isOpen }: RowView) =>
    change({ count: await calls.setOpen({ row, isOpen: !isOpen }), row })
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveFor(event.key, chosen, { tree, page: frame.visible - 1 })
    if (move === undefined) return
    event.preventDefault()
    if (move === 'toggle') chosen && toggle(chosen)
    else if (move === 'parent') calls.parentRow({ row: tree.row }).then(choose)
    else choose(move)
  }
  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLDivElement }) =>
    setScroll(currentTarget.scrollTop)
  const act = (row: RowView) => (row.isBranch ? toggle(row) : choose(row.row))
  return (
    <Rows
      frameRef={ref}
      frame={frame}
      rows={rows}
      chosen={chosen}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
      act={act}
    />
  )
}

type RowsProps = {
  readonly frameRef: { current: HTMLDivElement | null }
  readonly frame: Frame
  readonly rows: readonly RowView[]
  readonly chosen: RowView | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onScroll: (event: { readonly currentTarget: HTMLDivElement }) => void
  readonly act: (row: RowView) => void
}

function Rows({ frameRef, frame, rows, chosen, onKeyDown, onScroll, act }: RowsProps) {
  const id = useId()
  return (
    <div
      ref={frameRef}
      class="rows"
      role="tree"
      aria-label="The memory as a tree"
      tabIndex={0}
      {...(chosen !== undefined && { 'aria-activedescendant': `${id}-${chosen.row}` })}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div class="row probe" aria-hidden="true">
        …
      </div>
      <div role="none" style={{ height: `${Math.min(tallest, frame.count * frame.height)}px` }}>
        <div role="none" style={{ transform: `translateY(${offsetOf(frame, rows[0]?.row)}px)` }}>
          {rows.map((it) => (
            <Row
              key={it.row}
              id={`${id}-${it.row}`}
              row={it}
              isChosen={it.row === chosen?.row}
              onClick={() => act(it)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Returns the place of the first row that is shown, relative to where the frame is scrolled to. */
const offsetOf = (frame: Frame, row = 0): number =>
  frame.scroll + (row - firstRow(frame)) * frame.height - frame.part

type Place = { readonly tree: TreeState; readonly page: number }

/** Returns the row that a key leads to, or what it does to the chosen row. */
function moveFor(
  key: string,
  current: RowView | undefined,
  { tree: { row, count }, page }: Place,
): number | 'toggle' | 'parent' | undefined {
  const within = (to: number) => Math.max(0, Math.min(count - 1, to))
  const moves: Readonly<Record<string, number | 'toggle' | 'parent' | undefined>> = {
    ArrowDown: within(row + 1),
    ArrowUp: within(row - 1),
    PageDown: within(row + page),
    PageUp: within(row - page),
    Home: 0,
    End: within(count),
    Enter: current?.isBranch === true ? 'toggle' : undefined,
    ' ': current?.isBranch === true ? 'toggle' : undefined,
    ArrowRight: current?.isBranch === true && !current.isOpen ? 'toggle' : within(row + 1),
    ArrowLeft: current?.isOpen === true ? 'toggle' : 'parent',
  }
  return moves[key]
}

type RowProps = {
  readonly id: string
  readonly row: RowView
  readonly isChosen: boolean
  readonly onClick: () => void
}

/** Deeper rows are not moved further to the right, where nobody sees them. */
const deepestIndent = 20

function Row({ id, row, isChosen, onClick }: RowProps): JSX.Element {
  const { depth, label, kind, preview, isBranch, isOpen, position, setSize } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys.
    <div
      id={id}
      class="row"
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isChosen}
      {...(isBranch && { 'aria-expanded': isOpen })}
      style={{ paddingInlineStart: `${0.5 + Math.min(depth, deepestIndent)}rem` }}
      onClick={onClick}
    >
      <span class={isBranch ? 'twist' : 'twist none'} aria-hidden="true" />
      {label !== undefined && <bdi class="key">{label}</bdi>}
      {label !== undefined && ': '}
      <bdi dir="auto" class={kind}>
        {preview}
      </bdi>
    </div>
  )
}

/** Measures the frame of the rows: the height of a row, how many fit, and how far it is scrolled. */
function useFrame(ref: { readonly current: HTMLDivElement | null }, count: number) {
  const [scroll, setScroll] = useState(0)
  const [size, setSize] = useState({ height: 30, view: 600 })
  useLayoutEffect(() => {
    const measure = () => {
      const height = ref.current?.querySelector('.probe')?.getBoundingClientRect().height ?? 30
      setSize({ height, view: ref.current?.clientHeight ?? 600 })
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (ref.current !== null) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  const frame = frameOf({ count, scroll, ...size })
  return { frame, setScroll }
}

type Measured = Omit<Frame, 'part' | 'visible'>

function frameOf({ count, scroll, height, view }: Measured): Frame {
  const visible = Math.ceil(view / height)
  const frame = { count, scroll, height, view, visible, part: 0 }
  const isScaled = count * height > tallest
  return { ...frame, part: isScaled ? 0 : scroll - firstRow(frame) * height }
}

/** The tallest that the rows are together, in pixels: no browser shows much taller elements. */
export const tallest = 8_000_000

/** The part of many rows that is seen, in pixels. */
type Frame = {
  /** The number of all rows. */
  readonly count: number
  /** The height of a row. */
  readonly height: number
  /** The height of what is seen. */
  readonly view: number
  /** The number of rows that fit, the last one cut. */
  readonly visible: number
  /** Describes how far the rows are scrolled. */
  readonly scroll: number
  /** Describes how much of the first row is above what is seen. */
  readonly part: number
}

/** Returns the first row that is seen. When all together would be too tall, scrolling is faster. */
export function firstRow({ count, height, view, scroll }: Measured): number {
  const whole = count * height
  if (whole <= tallest) return Math.max(0, Math.min(count - 1, Math.floor(scroll / height)))
  const last = count - Math.floor(view / height)
  return Math.round((scroll / (tallest - view)) * last)
}

/** Returns how far to scroll so that a row is seen; `undefined` when it is. */
export function scrollFor(frame: Frame, row: number, scroll: number): number | undefined {
  const { count, height, view } = frame
  const first = firstRow({ ...frame, scroll })
  const fitting = Math.max(1, Math.floor(view / height))
  const isScaled = count * height > tallest
  const isCut = !isScaled && row === first && scroll > first * height
  if (row >= first && row < first + fitting && !isCut) return undefined
  const top = Math.max(0, topFor(row, first, fitting))
  return isScaled ? (top / (count - fitting)) * (tallest - view) : top * height
}

/** Returns the row that is the first one when a row is shown: a near one is moved to as little as needed. */
function topFor(row: number, first: number, fitting: number): number {
  const isFar = row > first + 2 * fitting || row < first - fitting
  if (isFar) return row - Math.min(3, fitting - 1)
  return row <= first ? row : row - fitting + 1
}
