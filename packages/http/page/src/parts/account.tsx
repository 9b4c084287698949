import { mostEnsAccounts, mostProfiles } from '../../../src/api/bounds.ts'
import type { Profile } from '../../../src/client/responses.ts'
import { batchReads } from '../api/batch-reads.ts'
import { deployment } from '../api/deployment.ts'
import { readNow } from '../api/get-json.ts'
import { isSameAccount, shortenAccount, shortenName } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { Copyable } from './copyable.tsx'
import { UserText } from './user-text.tsx'

/** Shows an account by its ENS name or in short form, behind the name that it gave itself. */
export function AccountText({ of }: { readonly of: string }): JSX.Element {
  const name = useEnsName(of)
  const profile = useProfile(of)
  const address = <UserText of={name === undefined ? shortenAccount(of) : shortenName(name)} />
  if (profile === undefined) return address
  return (
    <>
      <UserText of={profile.name} />{' '}
      {profile.resembles !== undefined && (
        <span class="badge" title="Another account took a name first that looks the same.">
          similar name
        </span>
      )}{' '}
      <small>{address}</small>
    </>
  )
}

const profiles = batchReads<Profile | undefined>({
  most: mostProfiles,
  read: async (accounts) => {
    const { items } = await readNow('profiles', { accounts: accounts.join() })
    return accounts.map((of) => items.find(({ account }) => isSameAccount(account, of)))
  },
})

/** Returns the profile of an account, once it is known; `undefined` where it has none. */
export const useProfile = (of: string): Profile | undefined => profiles.useValue(of)

/** Shows the profile that an account has just signed, wherever the account is shown. */
export const showProfile = (profile: Profile): void =>
  profiles.show([profile.account], [profile.name === '' ? undefined : profile])

/**
 * Shows an account by its ENS name, or in short form, as a link to its page, and whether it is the
 * visitor's or the server's; the button beside it copies the whole address.
 */
export function Account({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      <a href={`/account/${of}`} title={of}>
        <AccountText of={of} />
      </a>
      <Copyable text={of} shown={<CopySign />} what="address" />
      <Whose account={of} />
    </>
  )
}

type CopyableProps = { readonly of: string; readonly isWhole?: boolean }

/**
 * Shows an account in short form or whole, without leading away from a dialog; a click copies the
 * address.
 */
export function CopyableAccount({ of, isWhole = false }: CopyableProps): JSX.Element {
  return (
    <>
      <Copyable text={of} shown={isWhole ? of : shortenAccount(of)} what="address" />
      <Whose account={of} />
    </>
  )
}

/** Two sheets, drawn, since few fonts have a sign for a copy. */
function CopySign(): JSX.Element {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M6 2h8v9H6zM10 11v3H2V5h4" />
    </svg>
  )
}

function Whose({ account }: { readonly account: string }): JSX.Element | undefined {
  if (isSameAccount(account, connectedWallet.value?.account)) return <span class="you"> you</span>
  if (!isSameAccount(account, deployment.value?.agent)) return undefined
  return <small class="hint"> wallet of this server</small>
}

/** The longest name that ENS resolves, in characters. */
const longestName = 255

/** The letters, digits, signs and pictographs of a label; nothing of it is a space or has no width. */
const label = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component}$_'’·-]+$/u

/** Matches a joiner that joins no pictographs. */
const looseJoiner = /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d/u

/** The scripts whose letters look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Returns whether a name of ENS is written as it looks. The server sends names in their one spelling
 * (ENSIP-15); this keeps the page from what a server lets through.
 */
export function isPlainName(name: string): boolean {
  const labels = name.split('.')
  return name.length <= longestName && labels.length > 1 && labels.every(isPlainLabel)
}

const isPlainLabel = (text: string): boolean =>
  label.test(text) &&
  !looseJoiner.test(text) &&
  !(/\p{Script=Latin}/u.test(text) && alike.test(text))

const names = batchReads({
  most: mostEnsAccounts,
  read: async (accounts) => {
    const { items } = await readNow('ensNames', { accounts: accounts.join() })
    return items.map(({ name }) => (name !== null && isPlainName(name) ? name : null))
  },
})

/** Returns the primary ENS name of an account, once it is known. */
export const useEnsName = (of: string): string | undefined =>
  names.useValue(deployment.value?.hasEns === true ? of : undefined) ?? undefined
