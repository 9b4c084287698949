import { useAnswer, useRun } from '../api/use-answer.ts'
import { lazy } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Fold } from '../parts/section.tsx'
import { shortenAccount } from '../text/account.ts'
import { connectAnnounced, connectDevelopment, connectPasskey } from './connect-wallet.ts'
import { announcedWallets, getIcon } from './connected-wallet.ts'
import { developmentAccounts } from './development-accounts.ts'
import type { Passkey } from './passkey.ts'
import { hasRpc, isChainClosed } from './rpc-provider.ts'

const PhoneCodes = lazy<{ readonly links: readonly WalletApp[] }>(
  async () => (await import('./phone-codes.tsx')).PhoneCodes,
)

/** Shows the wallets that can be connected. */
export function ConnectChoices({ onDone }: { readonly onDone?: () => void }): JSX.Element {
  const { problem, run } = useRun()
  const choose = (connecting: Promise<void>) => run(() => connecting.then(onDone))
  const isEmpty = announcedWallets.value.length === 0
  return (
    <>
      <ProblemNotice problem={problem} />
      {hasRpc.value && <PlayMoney choose={(name) => choose(connectDevelopment(name))} />}
      <PasskeyChoice choose={(found) => choose(found.then(connectPasskey))} />
      {!isEmpty && (
        <ul class="choices" aria-label="Wallets of this browser">
          {announcedWallets.value.map((it) => (
            <ChoiceButton
              key={it.info.uuid}
              name={it.info.name}
              icon={getIcon(it)}
              onClick={() => choose(connectAnnounced(it))}
            />
          ))}
        </ul>
      )}
      {isEmpty && (
        <p class="hint">
          {hasRpc.value ? 'Or use your own wallet: none' : 'No wallet'} was found in this browser. A
          wallet that you install, such as MetaMask or Rabby, appears here.
        </p>
      )}
      <Phone isEmpty={isEmpty} />
      {isChainClosed.value && (
        <p class="hint">
          Wallets cannot reach the chain of this server. Look around without one, or ask the
          operator to set RPC_OPEN=true.
        </p>
      )}
      <details>
        <summary>What is a wallet?</summary>
        <p class="hint">
          A program that keeps a key of yours and signs what you agree to: a purchase, a listing, or
          that you may open a memory. It is an extension of this browser, an app of your phone, or,
          where a passkey is offered here, your device. What you buy belongs to your key and not to
          this server: nobody can take it from you, or reset the key for you, so keep its recovery
          words. A signature costs nothing; an act on the chain costs a small fee, which you see
          before. To look around you need none.
        </p>
      </details>
    </>
  )
}

/** The hosts of this machine, which a phone cannot reach. */
const ownHost = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/

/** Offers to open this page on a phone, and there in the browser of a wallet, where it has its wallet. */
function Phone({ isEmpty }: { readonly isEmpty: boolean }): JSX.Element | undefined {
  const apps = walletApps(location.href)
  if (matchMedia('(pointer: coarse)').matches) {
    if (!isEmpty || apps.length === 0) return undefined
    return (
      <>
        <p>On a phone, the wallet is an app with a browser of its own. Open this page there:</p>
        <ul class="choices" aria-label="Wallet apps">
          {apps.map(({ name, link }) => (
            <li key={name}>
              <a class="button choice" href={link} rel="noreferrer">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </>
    )
  }
  if (ownHost.test(location.hostname)) return undefined
  return (
    <Fold summary="Continue on your phone">
      <PhoneCodes links={[{ name: 'This page', link: location.href }, ...apps]} />
    </Fold>
  )
}

function PlayMoney({ choose }: { readonly choose: (name: string) => void }): JSX.Element {
  return (
    <section class="development" aria-labelledby="development">
      <h3 id="development">Try it with play money</h3>
      <p class="hint">
        Choose an account of this test chain. Its money is worth nothing; everybody knows its key.
      </p>
      <ul class="choices">
        {developmentAccounts.map(({ name, address }) => (
          <ChoiceButton
            key={name}
            name={name}
            more={shortenAccount(address)}
            onClick={() => choose(name)}
          />
        ))}
      </ul>
    </section>
  )
}

type PasskeyProps = { readonly choose: (passkey: Promise<Passkey>) => void }

/** Offers the account of a passkey, where this browser, the chain and the server have it. */
function PasskeyChoice({ choose }: PasskeyProps): JSX.Element | undefined {
  const { last } = useAnswer(async () => {
    const passkeys = await import('./passkey.ts')
    return (await passkeys.hasPasskeys()) ? passkeys : undefined
  }, [])
  if (last === undefined) return undefined
  const { storedPasskey, makePasskey, findPasskey, accountOf } = last
  const stored = storedPasskey()
  return (
    <section aria-labelledby="passkey">
      <h3 id="passkey">Without a wallet</h3>
      <p class="hint">
        Your fingerprint, face or screen lock signs for an account of your own, which deals in
        dollars. This server pays its network fees; nobody can replace a passkey that you lose.
      </p>
      <ul class="choices">
        <ChoiceButton
          name="Continue with a passkey"
          more={stored && shortenAccount(accountOf(stored))}
          onClick={() => choose(stored ? Promise.resolve(stored) : makePasskey())}
        />
        <ChoiceButton
          name="Use one that I have"
          more="confirm twice"
          onClick={() => choose(findPasskey())}
        />
        {stored && <ChoiceButton name="Make another" onClick={() => choose(makePasskey())} />}
      </ul>
    </section>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly more?: string | undefined
  readonly icon?: string | undefined
  readonly onClick: () => void
}

const ChoiceButton = ({ name, more, icon, onClick }: ChoiceProps): JSX.Element => (
  <li>
    <button type="button" class="choice" onClick={onClick}>
      {icon && <img src={icon} alt="" width="28" height="28" />}
      <span>{name}</span> {more && <small>{more}</small>}
    </button>
  </li>
)

/** An app of a phone with a wallet, and the link that opens a page in the browser of the app. */
export type WalletApp = { readonly name: string; readonly link: string }

/**
 * Returns the apps that open a page by a link; none for a page that is not served over https, which
 * their browsers refuse.
 *
 * Source: https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks, and
 * the link of Coinbase Wallet, https://go.cb-w.com/dapp.
 */
export function walletApps(page: string): readonly WalletApp[] {
  const { protocol, host, pathname, search, href } = new URL(page)
  if (protocol !== 'https:') return []
  return [
    // MetaMask takes the address as it is: it opens an empty page for one with escapes.
    { name: 'MetaMask', link: `https://link.metamask.io/dapp/${host}${pathname}${search}` },
    {
      name: 'Coinbase Wallet',
      link: `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`,
    },
  ]
}
