import type { SavedName } from '../../../src/client/responses.ts'
import { useOwnRental } from '../acts/terms-table.tsx'
import { deployment } from '../api/deployment.ts'
import { addressOf, readNow } from '../api/get-json.ts'
import { useRead, useResource } from '../api/use-resource.ts'
import { TokenList } from '../browse/token-list.tsx'
import { accessKey, keyHeaders } from '../create/access-key.ts'
import { Countdown } from '../parts/moment.tsx'
import { Section, Welcome } from '../parts/section.tsx'
import { TokenLink, untitled } from '../parts/token-link.tsx'
import { shortenAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { WalletMenu } from '../wallet/wallet-menu.tsx'
import { EarningsPanel } from './earnings-panel.tsx'
import { Granted } from './granted.tsx'
import { HeirPanel } from './heir-panel.tsx'
import { WatchList } from './watch-list.tsx'

/** The lists of memories of a visitor, by their names in the address. */
const lists = {
  owned: 'Owned',
  rented: 'Rented',
  created: 'Created',
  granted: 'Granted',
  watched: 'Watched',
  heir: 'Heir',
} as const

type List = keyof typeof lists

/** Shows what the connected wallet owns, rents, may read, has created and has earned, and what is watched here. */
export function Mine({ query }: { readonly query: string }): JSX.Element {
  const account = connectedWallet.value?.account
  const chosen = new URLSearchParams(query).get('list') ?? 'owned'
  const list = Object.hasOwn(lists, chosen) ? (chosen as List) : 'owned'
  return (
    <>
      <Welcome title="My memories" />
      {account === undefined ? (
        <div class="empty">
          <h2>No wallet connected</h2>
          <p>
            Connect a wallet to see the memories that it owns, rents and has created, and its
            earnings.
          </p>
          <WalletMenu />
        </div>
      ) : (
        <Tabs chosen={list} />
      )}
      {(account === undefined || list === 'watched') && <WatchList />}
      {account !== undefined && <Holdings account={account} list={list} key={account} />}
    </>
  )
}

function Tabs({ chosen }: { readonly chosen: List }): JSX.Element {
  return (
    <nav class="lists" aria-label="Lists" data-stay>
      {Object.entries(lists).map(([list, name]) => (
        <a
          key={list}
          href={list === 'owned' ? '/mine' : `/mine?list=${list}`}
          {...(list === chosen && { 'aria-current': 'page' as const })}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

type HoldingsProps = { readonly account: string; readonly list: List }

const holdings: Partial<Record<List, readonly ['owner' | 'creator', string]>> = {
  owned: ['owner', 'This wallet owns no memory.'],
  created: ['creator', 'This wallet has created no memory.'],
}

/** The private names that are read to show them beside their memories. */
const mostNames = 100

/**
 * Returns the private names whose last versions are memories, by their tokens, where the names of the
 * operator or of an access key are the visitor's.
 */
function useNames(): ReadonlyMap<string, string> | undefined {
  const isOperator =
    /^(localhost|127\..*|\[::1\])$/.test(location.hostname) &&
    deployment.value?.openActs?.includes('snapshot')
  return useResource(isOperator || accessKey.value !== '' ? 'names' : '', async (signal) => {
    const init = { headers: keyHeaders(), signal }
    const { items } = await readNow('names', { limit: mostNames }, init)
    return new Map(items.map((it) => [it.last.tokenId, describeSave(it)]))
  }).value
}

/** Names a version, and who saved it unless that was the operator of this server. */
function describeSave({ name, last: { version, savedBy } }: SavedName): string {
  const by = savedBy === 'operator' ? '' : `, by ${shortenAccount(savedBy)}`
  return `Saved as ${name}, version ${version}${by}`
}

function Holdings({ account, list }: HoldingsProps): JSX.Element {
  const held = holdings[list]
  const names = useNames()
  return (
    <div class="mine">
      {held !== undefined && (
        <TokenList
          key={list}
          title={lists[list]}
          path={addressOf('tokens', { [held[0]]: account })}
          none={held[1]}
          noteOf={({ tokenId }) => names?.get(tokenId)}
        />
      )}
      {list === 'rented' && <Rented account={account} />}
      {list === 'granted' && <Granted />}
      {list === 'heir' ? <HeirPanel account={account} /> : <EarningsPanel account={account} />}
    </div>
  )
}

/** The most rentals that are shown. */
const limit = 100

function Rented({ account }: { readonly account: string }): JSX.Element {
  const { value } = useRead('tokens', { renter: account, limit })
  return (
    <Section id="rented" title="Rented">
      <ul class="ledger">
        {value?.items.map(({ tokenId, card }) => (
          <RentedRow key={tokenId} tokenId={tokenId} title={card?.title ?? untitled} />
        ))}
      </ul>
      {value?.items.length === 0 && <p class="hint">This wallet rents no memory.</p>}
    </Section>
  )
}

type RowProps = { readonly tokenId: string; readonly title: string }

function RentedRow({ tokenId, title }: RowProps): JSX.Element {
  const mine = useOwnRental(tokenId)
  return (
    <li>
      <TokenLink tokenId={tokenId} title={title} />
      <span>
        {mine === undefined ? 'ended' : [<Countdown key="time" at={mine.expiresAt} />, ' left']}
      </span>
    </li>
  )
}
