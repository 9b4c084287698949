import type { ComponentChildren, JSX } from 'preact'

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

type Props = {
  readonly class: string
  readonly name: string
  readonly children: ComponentChildren
}

/** Shows content that may be larger than its frame; the keyboard can scroll it. */
export function ScrollArea({ class: className, name, children }: Props): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for the arrow keys.
    <section class={className} tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}
