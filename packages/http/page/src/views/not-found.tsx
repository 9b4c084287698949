import type { JSX } from 'preact'
import { useTitle } from '../use-title.ts'

/** Shows that an address has no page. */
export function NotFound(): JSX.Element {
  useTitle('Page not found')
  return (
    <section class="narrow">
      <h1>Page not found</h1>
      <p>
        There is no page at this address. <a href="/">Browse the memories</a>.
      </p>
    </section>
  )
}
