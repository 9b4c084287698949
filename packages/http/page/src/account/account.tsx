import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ActivityList } from '../activity/activity.tsx'
import { addressOf } from '../api/get-json.ts'
import { TokenList } from '../browse/token-list.tsx'
import { AccountText, CopyableAccount, useEnsName, useProfile } from '../parts/account.tsx'
import { useTitle } from '../parts/announce.ts'
import { ExplorerLink } from '../parts/explorer-link.tsx'
import { AccountSeal } from '../parts/seal.tsx'
import { Button, Section } from '../parts/section.tsx'
import { isMadeBy, shortenAccount } from '../text/account.ts'
import { EarningsPanel } from './earnings-panel.tsx'
import { ProfileText } from './profile.tsx'

type Props = { readonly account: string; readonly query: string }

/** Shows what an account offers, made, owns and has earned, and what it did. */
export function AccountView({ account, query }: Props): JSX.Element {
  const ens = useEnsName(account)
  const name = useProfile(account)?.name ?? ens
  useTitle(`Account ${name ?? shortenAccount(account)}`)
  return (
    <>
      <header class="welcome">
        <p class="eyebrow">Account</p>
        <h1>
          <AccountSeal of={account} /> <AccountText of={account} />
        </h1>
        <p class="address">
          <CopyableAccount of={account} isWhole />
          <ExplorerLink kind="address" of={account} />
        </p>
        <ProfileText of={account} key={account} />
      </header>
      <Tabs account={account} query={query} key={account} />
    </>
  )
}

type Tab = Pick<TokenList.Props, 'title' | 'path' | 'none' | 'isShown'>

function tabsOf(account: string): readonly Tab[] {
  return [
    {
      title: 'On offer',
      path: addressOf('listings', { seller: account, sort: 'listedAt' }),
      none: 'This account offers no memory.',
    },
    {
      title: 'Made',
      path: addressOf('tokens', { creator: account }),
      none: 'This account has made no memory.',
      isShown: (token) => isMadeBy(token, account),
    },
    {
      title: 'Owned',
      path: addressOf('tokens', { owner: account }),
      none: 'This account owns no memory.',
    },
  ]
}

/** The list that was chosen last of each account, to which Back returns. */
const lastChosen = new Map<string, string>()

/** Shows one list of memories at a time: most of them would be in several. */
function Tabs({ account, query }: Props): JSX.Element {
  const [chosen, setChosen] = useState(lastChosen.get(account) ?? 'On offer')
  const choose = (title: string) => {
    lastChosen.set(account, title)
    setChosen(title)
  }
  // What follows the list is shown after it, so that the list does not move it.
  const [isLoaded, setLoaded] = useState(false)
  const tabs = tabsOf(account)
  return (
    <div class="mine">
      <div>
        <p class="buttons tabs">
          {tabs.map(({ title }) => (
            <Button
              key={title}
              name={title}
              aria-pressed={title === chosen}
              onClick={() => choose(title)}
            />
          ))}
        </p>
        {tabs
          .filter(({ title }) => title === chosen)
          .map((tab) => (
            <TokenList key={tab.title} {...tab} onLoad={() => setLoaded(true)} />
          ))}
      </div>
      {isLoaded && <EarningsPanel account={account} />}
      {isLoaded && (
        <Section id="activity" title="Activity">
          <ActivityList
            place={`/account/${account}`}
            query={query}
            account={account}
            none="No activity yet."
          />
        </Section>
      )}
    </div>
  )
}
