import { getAddress, type Hex, hexToNumber } from 'viem'
import { announce } from '../announce.ts'
import { shortAccount } from '../text/account.ts'
import { type Connected, connected } from './connected-wallet.ts'
import { developmentAccounts } from './development-accounts.ts'
import { developmentWallet } from './development-wallet.ts'
import type { Announced, Provider } from './provider.ts'
import { walletProblem } from './to-wallet-problem.ts'

const kept = 'heirloom.wallet'
let leave = () => {}

type Wallet = Pick<Connected, 'name' | 'provider' | 'isDevelopment'>
type Asking = 'eth_requestAccounts' | 'eth_accounts'

/** Connects a wallet of this browser, which asks its user. */
export async function connectAnnounced({ info, provider }: Announced): Promise<void> {
  await connect({ name: info.name, provider, isDevelopment: false }, 'eth_requestAccounts')
  localStorage.setItem(kept, info.rdns)
}

/** Connects one of the accounts that everybody has the key of. */
export async function connectDevelopment(name: string): Promise<void> {
  const account = developmentAccounts.find((it) => it.name === name)
  if (account === undefined) return
  const provider = developmentWallet(account)
  await connect({ name: account.name, provider, isDevelopment: true }, 'eth_requestAccounts')
  localStorage.setItem(kept, `development:${name}`)
}

/** Lets go of the wallet. */
export function disconnect(): void {
  leave()
  localStorage.removeItem(kept)
  connected.value = undefined
  announce('The wallet is disconnected.')
}

/** Connects the wallet of the last visit again, if it still lets this page ask it. */
export async function reconnect(found: readonly Announced[], hasRpc: boolean): Promise<void> {
  const [kind, name] = (localStorage.getItem(kept) ?? '').split(':')
  if (connected.peek() !== undefined) return
  if (kind === 'development') {
    if (hasRpc) await connectDevelopment(name ?? '')
    return
  }
  const wallet = found.find(({ info }) => info.rdns === kind)
  if (wallet === undefined) return
  const { info, provider } = wallet
  await connect({ name: info.name, provider, isDevelopment: false }, 'eth_accounts')
}

async function connect(wallet: Wallet, asking: Asking): Promise<void> {
  const { provider } = wallet
  try {
    const accounts = (await provider.request({ method: asking })) as readonly string[]
    const chainId = hexToNumber((await provider.request({ method: 'eth_chainId' })) as Hex)
    leave()
    show(wallet, accounts, chainId)
    leave = follow(wallet, chainId)
  } catch (error) {
    throw walletProblem(error)
  }
}

function show(wallet: Wallet, [account]: readonly string[], chainId: number): void {
  if (account === undefined) {
    connected.value = undefined
    return
  }
  connected.value = { ...wallet, account: getAddress(account), chainId }
  announce(`${wallet.name} is connected with ${shortAccount(account)}.`)
}

function follow(wallet: Wallet, first: number): () => void {
  const { provider } = wallet
  // A wallet that is locked shows no account, and is still on its chain when it is opened again.
  let chainId = first
  const accountsChanged = (accounts: readonly string[]) => show(wallet, accounts, chainId)
  const chainChanged = (told: Hex) => {
    chainId = hexToNumber(told)
    if (connected.value !== undefined) connected.value = { ...connected.value, chainId }
  }
  provider.on?.('accountsChanged', accountsChanged)
  provider.on?.('chainChanged', chainChanged)
  return () => {
    provider.removeListener?.('accountsChanged', accountsChanged)
    provider.removeListener?.('chainChanged', chainChanged)
  }
}

/** Has the wallet go to a chain; one that it does not know is described to it first. */
export async function switchChain(provider: Provider, chainId: number): Promise<void> {
  const id = `0x${chainId.toString(16)}`
  try {
    await provider
      .request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] })
      .catch(async (error: { readonly code?: number }) => {
        if (error.code !== 4902) throw error
        await provider.request({ method: 'wallet_addEthereumChain', params: [described(id)] })
      })
    const told = (await provider.request({ method: 'eth_chainId' })) as Hex
    if (connected.value !== undefined) {
      connected.value = { ...connected.value, chainId: hexToNumber(told) }
    }
  } catch (error) {
    throw walletProblem(error)
  }
}

const described = (chainId: string) => ({
  chainId,
  chainName: `Heirloom at ${location.host}`,
  rpcUrls: [`${location.origin}/rpc`],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})
