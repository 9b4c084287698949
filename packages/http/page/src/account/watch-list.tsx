import { useEffect } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import { termsOf } from '../acts/listing-terms.ts'
import { shortAmount } from '../api/deployment.ts'
import { useRead } from '../api/use-resource.ts'
import { Button, Section } from '../parts/section.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import {
  canAlert,
  hasAlerts,
  rememberPrice,
  seenPrices,
  toggleAlerts,
  toggleWatched,
  watched,
} from '../watch-list.ts'

/** The memories of which it is loaded whether they are listed. */
const mostStates = 20

/** Shows the memories that are watched in this browser, and whether it notifies of what happens to them. */
export function WatchList(): JSX.Element {
  const all = watched.value
  return (
    <Section id="watched" title="Watched" class="watched">
      {all.length === 0 && (
        <p class="hint">
          Nothing is watched. Choose Watch on the page of a memory; the list stays in this browser.
        </p>
      )}
      <ul class="ledger">
        {all.map((tokenId, index) => (
          <WatchedRow key={tokenId} tokenId={tokenId} hasState={index < mostStates} />
        ))}
      </ul>
      {all.length > 0 && (
        <p class="buttons">
          {canAlert && (
            <Button
              name={hasAlerts.value ? 'Stop notifying me' : 'Notify me'}
              onClick={toggleAlerts}
            />
          )}
          <small class="hint">
            {canAlert
              ? 'While a tab of this page is open.'
              : 'This browser shows no notifications here: they need HTTPS.'}{' '}
            Webhooks report the same events to a server.
          </small>
        </p>
      )}
    </Section>
  )
}

type RowProps = { readonly tokenId: string; readonly hasState: boolean }

function WatchedRow({ tokenId, hasState }: RowProps): JSX.Element {
  const { value } = useRead('lineage', hasState ? { tokenId } : undefined)
  const token = value?.token
  const price = token === undefined ? undefined : priceOf(token)
  const before = usePriceBefore(tokenId, price)
  return (
    <li>
      <TokenLink tokenId={tokenId} />
      <span>
        {token !== undefined && <small class="hint">{describeState(token, price, before)}</small>}{' '}
        <button type="button" class="quiet" onClick={() => toggleWatched(tokenId)}>
          Stop watching<span class="unseen"> No. {tokenId}</span>
        </button>
      </span>
    </li>
  )
}

/** Returns what the memory costs, in words: to buy, otherwise to rent, otherwise to fork. */
function priceOf({ listing }: Lineage['token']): string {
  if (listing === null) return 'not listed'
  const { currency, price, rentalPricePerDay, forkPrice } = termsOf(listing)
  const [amount, words = ''] = [
    [price, ''],
    [rentalPricePerDay, ' a day'],
    [forkPrice, ' a fork'],
  ].find(([it]) => it !== '0') ?? ['0']
  return `${shortAmount(amount ?? '0', currency)}${words}`
}

/** Returns what a memory cost when it was first seen here; remembers what it costs now. */
function usePriceBefore(tokenId: string, price: string | undefined): string | undefined {
  const before = seenPrices.value[tokenId]
  useEffect(() => {
    if (price !== undefined && before === undefined) rememberPrice(tokenId, price)
  }, [price, before])
  return before
}

function describeState({ erasedAt }: Lineage['token'], price = '', before = price): string {
  if (erasedAt !== null) return 'erased'
  return price === before ? price : `${price}, was ${before}`
}
