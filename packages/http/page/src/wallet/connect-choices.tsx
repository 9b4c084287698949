import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, problemOf } from '../api/problem.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { shortAccount } from '../text/account.ts'
import { connectAnnounced, connectDevelopment } from './connect-wallet.ts'
import { developmentAccounts } from './development-accounts.ts'
import { announced, iconOf } from './discover-wallets.ts'
import type { Announced } from './provider.ts'
import { hasRpc, isChainClosed } from './rpc-provider.ts'

/** Lists the wallets that can be connected. */
export function ConnectChoices({ onDone }: { readonly onDone?: () => void }): JSX.Element {
  const [problem, setProblem] = useState<Problem>()
  const choose = (connecting: Promise<void>) => {
    setProblem(undefined)
    connecting.then(onDone, (error: unknown) => setProblem(problemOf(error)))
  }
  const hasNone = announced.value.length === 0
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {!hasNone && (
        <ul class="choices" aria-label="Wallets of this browser">
          {announced.value.map((it) => (
            <li key={it.info.uuid}>
              <WalletChoice wallet={it} choose={() => choose(connectAnnounced(it))} />
            </li>
          ))}
        </ul>
      )}
      {hasNone && (
        <p class="hint">
          No wallet was found in this browser. Any wallet that announces itself (EIP-6963) appears
          here once it is installed.
        </p>
      )}
      {isChainClosed.value && (
        <p class="hint">
          Wallets cannot reach the chain of this server, so nothing can be bought or listed from
          here. Whoever runs it can open it with RPC_OPEN=true. Reading needs no wallet.
        </p>
      )}
      {hasRpc.value && <Development choose={(name) => choose(connectDevelopment(name))} />}
    </>
  )
}

function WalletChoice({ wallet, choose }: { wallet: Announced; choose: () => void }): JSX.Element {
  const icon = iconOf(wallet)
  return (
    <button type="button" class="choice" onClick={choose}>
      {icon !== undefined && <img src={icon} alt="" width="28" height="28" />}
      <span>{wallet.info.name}</span>
    </button>
  )
}

function Development({ choose }: { readonly choose: (name: string) => void }): JSX.Element {
  return (
    <section class="development" aria-labelledby="development">
      <h3 id="development">Development wallet</h3>
      <p class="hint">
        For trying things out on this machine only. These accounts hold play money, and everybody
        has their keys.
      </p>
      <ul class="choices">
        {developmentAccounts.map(({ name, address }) => (
          <li key={name}>
            <button type="button" class="choice" onClick={() => choose(name)}>
              <span>{name}</span> <small>{shortAccount(address)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
