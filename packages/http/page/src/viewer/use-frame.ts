import { useLayoutEffect, useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import type { RowView } from './preview-node.ts'
import type { ViewerCalls } from './use-viewer.ts'

/** Measures the frame of the rows: the height of a row, how many fit, and how far it is scrolled. */
export function useFrame(ref: { readonly current: HTMLDivElement | null }, count: number) {
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
export type Frame = {
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

/** Returns the rows of a stretch; those before stay until they are there. */
export function useRows(
  calls: ViewerCalls,
  version: number,
  from: number,
  to: number,
): readonly RowView[] {
  return useAnswer(() => calls.rows({ from, to }), [version, from, to]).last ?? []
}
