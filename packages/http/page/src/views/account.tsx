import type { JSX } from 'preact'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { useEnsName } from '../api/ens-names.ts'
import { AccountText, CopyableAccount } from '../parts/account.tsx'
import { shortenAccount } from '../text/account.ts'
import { explorerAddress } from '../text/explorer.ts'
import { useTitle } from '../use-title.ts'
import { ActivityList } from './activity-list.tsx'
import { EarningsPanel } from './earnings-panel.tsx'
import { TokenList } from './token-list.tsx'

/** Shows what an account offers, made, owns and has earned, and what it did. */
export function AccountView({ account }: { readonly account: string }): JSX.Element {
  const name = useEnsName(account)
  useTitle(`Account ${name ?? shortenAccount(account)}`)
  const explorer = explorerAddress('address', account)
  return (
    <>
      <header class="welcome">
        <p class="eyebrow">Account</p>
        <h1>
          <AccountText of={account} />
        </h1>
        <p class="address">
          <CopyableAccount of={account} />
          {explorer !== undefined && (
            <>
              {' '}
              <a href={explorer} target="_blank" rel="noreferrer">
                explorer
              </a>
            </>
          )}
        </p>
      </header>
      <div class="mine">
        <EarningsPanel account={account} />
        <TokenList
          title="On offer"
          path={withQuery('/api/marketplace/listings', { seller: account, sort: 'listedAt' })}
          none="This account offers no memory."
        />
        <TokenList
          title="Made"
          path={withQuery('/api/memory', { creator: account })}
          none="This account has made no memory."
        />
        <TokenList
          title="Owned"
          path={withQuery('/api/memory', { owner: account })}
          none="This account owns no memory."
        />
        <section aria-labelledby="activity">
          <h2 id="activity">Activity</h2>
          <ActivityList account={account} none="This account has done nothing here." />
        </section>
      </div>
    </>
  )
}
