import type { JSX } from 'preact'
import { useTitle } from '../use-title.ts'
import { ActivityList } from './activity-list.tsx'

/** Shows what happens in the market. */
export function Activity({ query }: { readonly query: string }): JSX.Element {
  useTitle('Activity')
  return (
    <>
      <header class="welcome">
        <h1>Activity</h1>
        <p class="lead">Mints, listings, sales, rentals, forks and royalties, the newest first.</p>
      </header>
      <section class="mine" aria-label="Events">
        <ActivityList place="/activity" query={query} none="Nothing has happened yet." />
      </section>
    </>
  )
}
