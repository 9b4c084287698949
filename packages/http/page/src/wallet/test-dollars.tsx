import { dollarBalanceOf } from '@heirloom/adapters/internal/acts'
import { useState } from 'preact/hooks'
import { refreshAll } from '../api/changes.ts'
import { deployment, loadDeployment, shortAmount } from '../api/deployment.ts'
import { addressOf, postJson } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { useRun } from '../api/use-answer.ts'
import { useResource } from '../api/use-resource.ts'
import { Amounts } from '../parts/amount.tsx'
import { announce } from '../parts/announce.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { type ConnectedWallet, connectedWallet } from './connected-wallet.ts'
import { chainProvider, openChain } from './open-chain.ts'

type Props = {
  /** Called when the wallet has got test dollars. */
  readonly onGiven?: () => void
}

/** Hands out test dollars; shows nothing where the server has no faucet. */
export function TestDollars({ onGiven }: Props): JSX.Element | undefined {
  const [given, setGiven] = useState('')
  const { isRunning, problem, run } = useRun()
  const account = connectedWallet.value?.account
  if (deployment.value?.hasFaucet !== true || account === undefined) return undefined
  const get = async () => {
    setGiven('')
    const text = await askFaucet(account)
    setGiven(text)
    announce(text)
    refreshAll()
    onGiven?.()
  }
  return (
    <section class="play-money" aria-label="Test dollars">
      <p class="hint">This is a test chain: its dollars are play money, worth nothing.</p>
      <ProblemNotice problem={problem} />
      <p class="buttons">
        <Button
          name="Get test dollars (play money)"
          class={onGiven === undefined ? '' : 'main'}
          disabled={isRunning}
          onClick={() => run(get)}
        />
        {given !== '' && <span role="status">{given}</span>}
      </p>
    </section>
  )
}

/** Shows what a wallet holds, once the chain says it. */
export function Balances({ wallet }: { readonly wallet: ConnectedWallet }) {
  const { value } = useResource(wallet.account, () => readBalances(wallet))
  if (value === undefined) return undefined
  return (
    <p>
      It holds <Amounts of={value} />.
    </p>
  )
}

async function readBalances(wallet: ConnectedWallet) {
  const { account } = wallet
  const { dollar } = await loadDeployment()
  const { client } = await openChain(chainProvider(wallet))
  const [native, held] = await Promise.all([
    client.request({ method: 'eth_getBalance', params: [account, 'latest'] }),
    dollar == null ? 0n : dollarBalanceOf(client, dollar.address as `0x${string}`, account),
  ])
  return { native: BigInt(native), dollar: held }
}

/** Asks the faucet of the server for test dollars, and says what the account got. */
async function askFaucet(address: string): Promise<string> {
  const path = addressOf('faucet', {})
  const { amount } = await postJson<{ readonly amount: string }>(path, { address }).catch(explain)
  return `You got ${shortAmount(amount, 'dollar')}.`
}

function explain(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'route/not-found') throw error
  throw new Problem(
    'This server hands out no test dollars.',
    'Ask its operator for some; FAUCET_OPEN=true lets anyone have them.',
    { code: 'faucet/closed', cause: error },
  )
}
