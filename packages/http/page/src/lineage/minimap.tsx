import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { box, type Drawing } from './lay-out-lineage.ts'

/** The part of a drawing that is in sight, in the drawing's units. */
type Sight = Readonly<Required<DOMRectInit>>

type Props = {
  readonly drawing: Drawing
  readonly sight: Sight
  /** The scale of the drawing in its frame. */
  readonly scale: number
  /** The frame that scrolls the drawing. */
  readonly frame: RefObject<HTMLElement | null>
}

const most = { width: 176, height: 110 } as const

/** The least width and height, for drawings that are very long or very high. */
const least = 28

/** Shows a whole drawing in small, and what of it is in sight; a click or a drag moves there. */
export function Minimap({ drawing, sight, scale, frame }: Props): JSX.Element {
  const small = Math.min(most.width / drawing.width, most.height / drawing.height)
  const width = Math.max(least, drawing.width * small)
  const height = Math.max(least, drawing.height * small)
  const move = ({ offsetX, offsetY }: PointerEvent) => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {}
    const [x, y] = [(offsetX / width) * drawing.width, (offsetY / height) * drawing.height]
    frame.current?.scrollTo(x * scale - clientWidth / 2, y * scale - clientHeight / 2)
  }
  const boxes = [...drawing.items.values()].map(
    ({ x, y }) => `M${x} ${y}h${box.width}v${box.height}h-${box.width}z`,
  )
  return (
    <svg
      class="minimap"
      width={width}
      height={height}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={move}
      onPointerMove={(event) => event.buttons === 1 && move(event)}
    >
      <path class="boxes" d={boxes.join('')} />
      <rect class="sight" {...sight} />
    </svg>
  )
}

/** Returns what of a drawing at a scale is in sight in its scrolled frame; `undefined` while all of it is. */
export function useSight(
  ref: RefObject<HTMLElement | null>,
  drawing: { readonly width: number; readonly height: number },
  scale: number,
): Sight | undefined {
  const [sight, setSight] = useState<Sight>()
  useEffect(() => {
    const frame = ref.current
    if (frame === null) return
    const look = () => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame
      const [width, height] = [clientWidth / scale, clientHeight / scale]
      const isWhole = width >= drawing.width && height >= drawing.height
      const seen = {
        x: scrollLeft / scale,
        y: scrollTop / scale,
        width: Math.min(width, drawing.width),
        height: Math.min(height, drawing.height),
      }
      setSight(isWhole ? undefined : seen)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(frame)
    frame.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', look)
    }
  }, [drawing, scale])
  return sight
}
