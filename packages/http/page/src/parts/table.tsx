import type { ComponentChildren } from 'preact'

type Props = {
  readonly name: string
  readonly class?: string | undefined
  /** Whether its name stands above it. */
  readonly isTitled?: boolean
  readonly columns: readonly string[]
  /** The rows. */
  readonly children: ComponentChildren
}

/** Shows a table that may be larger than its frame. */
export function Table(props: Props): JSX.Element {
  const { name, class: className, isTitled = false, columns, children } = props
  return (
    <ScrollArea class="scroll" name={name}>
      <table class={className}>
        {isTitled && <caption>{name}</caption>}
        <thead>
          <tr>
            {columns.map((it) => (
              <th key={it} scope="col">
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollArea>
  )
}

type ScrollAreaProps = {
  readonly class: string
  readonly name: string
  readonly children: ComponentChildren
}

/** Shows content that may be larger than its frame; the keyboard can scroll it. */
export function ScrollArea({ class: className, name, children }: ScrollAreaProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for the arrow keys.
    <section class={className} tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}

type SampleProps = { readonly text: string; readonly name: string }

/** Shows a text that may be long. */
export function Sample({ text, name }: SampleProps): JSX.Element {
  return (
    <ScrollArea class="preview" name={name}>
      <pre dir="auto">{text}</pre>
    </ScrollArea>
  )
}
