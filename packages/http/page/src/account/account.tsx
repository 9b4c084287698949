import { profileLimits } from '@heirloom/core'
import { useState } from 'preact/hooks'
import { createSetProfile } from '../../../src/client/profiles.ts'
import { ActivityList } from '../activity/activity.tsx'
import { addressOf } from '../api/get-json.ts'
import { useRun } from '../api/use-answer.ts'
import { useRead } from '../api/use-resource.ts'
import { TokenList, type TokenListProps } from '../browse/token-list.tsx'
import {
  Account,
  AccountText,
  CopyableAccount,
  showProfile,
  useEnsName,
  useProfile,
} from '../parts/account.tsx'
import { Amounts } from '../parts/amount.tsx'
import { announce, useTitle } from '../parts/announce.ts'
import { ExplorerLink } from '../parts/explorer-link.tsx'
import { ActForm, Submit, TextField } from '../parts/form-fields.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { AccountSeal } from '../parts/seal.tsx'
import { Button, Section } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { isMadeBy, isSameAccount, shortenAccount } from '../text/account.ts'
import { summarizeRatings } from '../token/rating-summary.tsx'
import { type ConnectedWallet, connectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/signers.ts'
import { EarningsPanel } from './earnings-panel.tsx'
import { earningKinds } from './sum-earnings.ts'

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

type Tab = Pick<TokenListProps, 'title' | 'path' | 'none' | 'isShown'>

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

/** Shows how an account describes itself, what others say of it, and to itself the form to change it. */
function ProfileText({ of }: { readonly of: string }): JSX.Element {
  const { sentence = '', link = '', resembles } = useProfile(of) ?? {}
  const wallet = connectedWallet.value
  return (
    <>
      {resembles !== undefined && (
        <Notice kind="warn">
          Its name looks like that of <Account of={resembles} />, who took it first. A name proves
          nothing: compare the addresses.
        </Notice>
      )}
      {sentence !== '' && (
        <p class="lead">
          <UserText of={sentence} />
        </p>
      )}
      {link !== '' && (
        <a class="hash" href={link} rel="nofollow ugc noreferrer">
          <UserText of={link} />
        </a>
      )}
      <Reputation of={of} />
      {isSameAccount(of, wallet?.account) && wallet !== undefined && <Form wallet={wallet} />}
    </>
  )
}

/** The most memories of a maker that its reputation counts: as many as one request reads. */
const most = 100

/** Shows in one line what an account made, how those rated it who paid, and what was paid to it. */
function Reputation({ of }: { readonly of: string }): JSX.Element | undefined {
  const made = useRead('tokens', { creator: of, limit: most }).value
  const own = made?.items.filter((it) => isMadeBy(it, of)) ?? []
  const tokenIds = own.map((it) => it.tokenId).join()
  const rated = useRead('ratingCounts', own.length === 0 ? undefined : { tokenIds }).value?.items
  const earned = useRead('earnings', { address: of }).value
  if (own.length === 0 || earned === undefined) return undefined
  const counts = [0, 1, 2, 3, 4].map((at) =>
    (rated ?? []).reduce((sum, it) => sum + (it.counts[at] ?? 0), 0),
  )
  const sumOf = (sums: Readonly<Record<(typeof earningKinds)[number], string>>) =>
    `${earningKinds.reduce((sum, kind) => sum + BigInt(sums[kind]), 0n)}`
  const number = `${made?.next === null ? '' : 'more than '}${own.length}`
  return (
    <p class="byline">
      Made {number} {own.length === 1 ? 'memory' : 'memories'} · {summarizeRatings(counts)} · earned{' '}
      <Amounts of={{ native: sumOf(earned), dollar: sumOf(earned.dollars) }} />
    </p>
  )
}

const fields = [
  ['name', 'Name'],
  ['sentence', 'One sentence (optional)'],
  ['link', 'Link (optional), with https://'],
] as const

type Typed = Partial<Readonly<Record<(typeof fields)[number][0], string>>>

/** Shows the form with which an account describes itself. */
function Form({ wallet }: { readonly wallet: ConnectedWallet }): JSX.Element {
  const { account } = wallet
  const profile = useProfile(account)
  const [typed, setTyped] = useState<Typed>({})
  const { isRunning, problem, run } = useRun()
  const text = (field: keyof Typed) => typed[field] ?? profile?.[field] ?? ''
  const submit = () =>
    run(async () => {
      const [name = '', sentence, link] = fields.map(([field]) => text(field).trim())
      showProfile(await createSetProfile(requestSigner(wallet))({ name, sentence, link }))
      announce('Your profile is published.')
    })
  return (
    <ActForm summary="Describe yourself" submit={submit}>
      <p class="hint">
        For accounts that own or made a memory. Your wallet signs it and pays nothing. It is public,
        beside your address; leave all fields empty to take it back.
      </p>
      {fields.map(([field, name]) => (
        <TextField
          key={field}
          name={name}
          dir="auto"
          maxLength={profileLimits[field]}
          text={text(field)}
          setText={(it) => setTyped({ ...typed, [field]: it })}
        />
      ))}
      <ProblemNotice problem={problem} />
      <Submit name="Sign and publish" isSigning={isRunning} />
    </ActForm>
  )
}
