import type { JSX } from 'preact'
import { ScrollArea } from './scroll-area.tsx'

/** Shows a text that may be long. */
export function Sample({
  text,
  name,
}: {
  readonly text: string
  readonly name: string
}): JSX.Element {
  return (
    <ScrollArea class="preview" name={name}>
      <pre dir="auto">{text}</pre>
    </ScrollArea>
  )
}
