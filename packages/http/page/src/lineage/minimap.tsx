import type { JSX } from 'preact'
import { box, type Drawing } from './lay-out-lineage.ts'

/** The part of a drawing that is in sight, in the drawing's units. */
export type Sight = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Props = {
  readonly drawing: Drawing
  readonly sight: Sight
  /** Moves the middle of what is in sight to a place. */
  readonly moveTo: (x: number, y: number) => void
}

const most = { width: 176, height: 110 } as const

/** Shows a whole drawing in small, and what of it is in sight; a click or a drag moves there. */
export function Minimap({ drawing, sight, moveTo }: Props): JSX.Element {
  const scale = Math.min(most.width / drawing.width, most.height / drawing.height)
  const move = ({ offsetX, offsetY }: PointerEvent) => moveTo(offsetX / scale, offsetY / scale)
  const boxes = [...drawing.items.values()].map(
    ({ x, y }) => `M${x} ${y}h${box.width}v${box.height}h-${box.width}z`,
  )
  return (
    <svg
      class="minimap"
      width={drawing.width * scale}
      height={drawing.height * scale}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      aria-hidden="true"
      onPointerDown={move}
      onPointerMove={(event) => event.buttons === 1 && move(event)}
    >
      <path class="boxes" d={boxes.join('')} />
      <rect class="sight" {...sight} />
    </svg>
  )
}
