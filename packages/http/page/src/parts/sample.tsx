import type { JSX } from 'preact'
import { Scrolling } from './scroll-area.tsx'

/** A text that may be long, as it stands. */
export function Sample({
  text,
  name,
}: {
  readonly text: string
  readonly name: string
}): JSX.Element {
  return (
    <Scrolling class="preview" name={name}>
      <pre dir="auto">{text}</pre>
    </Scrolling>
  )
}
