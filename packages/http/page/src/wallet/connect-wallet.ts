import { getAddress, type Hex, hexToNumber } from 'viem'
import { announce } from '../parts/announce.ts'
import { shortenAccount } from '../text/account.ts'
import { type AnnouncedWallet, type ConnectedWallet, connectedWallet } from './connected-wallet.ts'
import { developmentAccounts } from './development-accounts.ts'
import { developmentWallet } from './development-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

const storageKey = 'heirloom.wallet'
let unsubscribe = () => {}

type Wallet = Pick<ConnectedWallet, 'name' | 'provider' | 'isDevelopment'>
type AccountsMethod = 'eth_requestAccounts' | 'eth_accounts'

/** Connects a wallet of this browser, which asks its user for permission. */
export async function connectAnnounced({ info, provider }: AnnouncedWallet): Promise<void> {
  await connect({ name: info.name, provider, isDevelopment: false }, 'eth_requestAccounts')
  localStorage.setItem(storageKey, info.rdns)
}

/** Connects an account of the development wallet. */
export async function connectDevelopment(name: string): Promise<void> {
  const account = developmentAccounts.find((it) => it.name === name)
  if (account === undefined) return
  const provider = developmentWallet(account)
  await connect({ name: account.name, provider, isDevelopment: true }, 'eth_requestAccounts')
  localStorage.setItem(storageKey, `development:${name}`)
}

/** Disconnects the wallet. */
export function disconnect(): void {
  unsubscribe()
  localStorage.removeItem(storageKey)
  connectedWallet.value = undefined
  announce('The wallet is disconnected.')
}

/** Reconnects the wallet of the last visit, if it still permits that. */
export async function reconnect(found: readonly AnnouncedWallet[], hasRpc: boolean): Promise<void> {
  const [kind, name] = (localStorage.getItem(storageKey) ?? '').split(':')
  if (connectedWallet.peek() !== undefined) return
  if (kind === 'development') {
    if (hasRpc) await connectDevelopment(name ?? '')
    return
  }
  const wallet = found.find(({ info }) => info.rdns === kind)
  if (wallet === undefined) return
  const { info, provider } = wallet
  await connect({ name: info.name, provider, isDevelopment: false }, 'eth_accounts')
}

async function connect(wallet: Wallet, method: AccountsMethod): Promise<void> {
  const { provider } = wallet
  try {
    const accounts = (await provider.request({ method })) as readonly string[]
    const chainId = hexToNumber((await provider.request({ method: 'eth_chainId' })) as Hex)
    unsubscribe()
    setAccount(wallet, accounts, chainId)
    unsubscribe = subscribe(wallet, chainId)
  } catch (error) {
    throw toWalletProblem(error)
  }
}

function setAccount(wallet: Wallet, [account]: readonly string[], chainId: number): void {
  if (account === undefined) {
    connectedWallet.value = undefined
    return
  }
  connectedWallet.value = { ...wallet, account: getAddress(account), chainId }
  announce(`${wallet.name} is connected with ${shortenAccount(account)}.`)
}

function subscribe(wallet: Wallet, first: number): () => void {
  const { provider } = wallet
  // A locked wallet has no account, and is still on its chain after it is unlocked.
  let chainId = first
  const accountsChanged = (accounts: readonly string[]) => setAccount(wallet, accounts, chainId)
  const chainChanged = (id: Hex) => {
    chainId = hexToNumber(id)
    if (connectedWallet.value !== undefined)
      connectedWallet.value = { ...connectedWallet.value, chainId }
  }
  provider.on?.('accountsChanged', accountsChanged)
  provider.on?.('chainChanged', chainChanged)
  return () => {
    provider.removeListener?.('accountsChanged', accountsChanged)
    provider.removeListener?.('chainChanged', chainChanged)
  }
}
