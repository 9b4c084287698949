import type { JSX } from 'preact'
import { useRead } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Countdown } from '../parts/moment.tsx'

/** Shows the current rentals of a memory. */
export function Rentals({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const { value } = useRead('rentals', { tokenId })
  const items = value?.items ?? []
  return (
    <section class="panel" aria-labelledby="rentals">
      <h2 id="rentals">Current rentals</h2>
      {items.length === 0 && <p class="hint">No current rentals.</p>}
      <ul class="ledger">
        {items.map(({ renter, expiresAt }) => (
          <li key={renter}>
            <span>
              <Account of={renter} />
            </span>
            <span>
              <Countdown at={expiresAt} /> left
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
