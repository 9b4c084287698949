import type { JSX } from 'preact'

/** Text that a stranger wrote: it stands for itself, whatever its direction, and leaves the rest alone. */
export function Words({ of }: { readonly of: string }): JSX.Element {
  return <bdi dir="auto">{of}</bdi>
}
