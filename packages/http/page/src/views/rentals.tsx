import type { JSX } from 'preact'
import type { Rental } from '../../../src/client/responses.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Countdown } from '../parts/moment.tsx'

/** Who rents a memory now, and for how long yet. */
export function Rentals({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const path = `/api/memory/${tokenId}/rentals`
  const { value } = useAsked(path, (signal) =>
    ask<{ readonly items: readonly Rental[] }>(path, signal),
  )
  const items = value?.items ?? []
  return (
    <section class="panel" aria-labelledby="rentals">
      <h2 id="rentals">Running rentals</h2>
      {items.length === 0 && <p class="hint">Nobody rents it now.</p>}
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
