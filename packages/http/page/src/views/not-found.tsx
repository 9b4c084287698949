import type { JSX } from 'preact'
import { useTitle } from '../use-title.ts'

/** Where an address leads that names nothing. */
export function Lost(): JSX.Element {
  useTitle('Nothing here')
  return (
    <section class="narrow">
      <h1>Nothing is kept here</h1>
      <p>
        The address names no part of this page. <a href="/">Browse the memories</a> instead.
      </p>
    </section>
  )
}
