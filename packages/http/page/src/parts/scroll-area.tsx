import type { ComponentChildren, JSX } from 'preact'

type Props = {
  readonly class: string
  readonly name: string
  readonly children: ComponentChildren
}

/** A part that may be larger than its frame; the keyboard reaches it to scroll it. */
export function Scrolling({ class: look, name, children }: Props): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must have the focus for the arrow keys.
    <section class={look} tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}
