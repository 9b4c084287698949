import type { JSX } from 'preact'

/** Shows text of a user, isolated so that its direction does not affect the text around it. */
export function UserText({ of }: { readonly of: string }): JSX.Element {
  return <bdi dir="auto">{of}</bdi>
}
