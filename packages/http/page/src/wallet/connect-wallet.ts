import {
  getAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isHex,
  keccak256,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Problem } from '../api/problem.ts'
import { announce } from '../parts/announce.ts'
import { shortenAccount } from '../text/account.ts'
import {
  type AnnouncedWallet,
  type ConnectedWallet,
  connectedWallet,
  type Provider,
} from './connected-wallet.ts'
import { type DevelopmentAccount, developmentAccounts } from './development-accounts.ts'
import type { Passkey, passkeySigner } from './passkey.ts'
import { rpcProvider } from './rpc-provider.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

const storageKey = 'heirloom.wallet'
let unsubscribe = () => {}

type Wallet = Omit<ConnectedWallet, 'account' | 'chainId'>
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

/** Connects the account of a passkey, which this browser knows from then on. */
export async function connectPasskey(passkey: Passkey): Promise<void> {
  const { loadPublicNode, passkeySigner, storePasskey } = await import('./passkey.ts')
  const provider = signingProvider(passkeySigner(passkey), await loadPublicNode())
  await connect(
    { name: 'Passkey', provider, isDevelopment: false, isRelayed: true },
    'eth_accounts',
  )
  storePasskey(passkey)
  localStorage.setItem(storageKey, 'passkey:')
}

async function reconnectPasskey(): Promise<void> {
  const passkey = (await import('./passkey.ts')).storedPasskey()
  if (passkey !== undefined) await connectPasskey(passkey)
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
  if (kind === 'passkey') return reconnectPasskey()
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

type Signer = Pick<ReturnType<typeof passkeySigner>, 'address' | 'signMessage' | 'signTypedData'>
type Method = (params: readonly unknown[]) => Promise<unknown>

/** Returns a wallet of one account that this page signs for, and which reads a node. */
function signingProvider(
  signer: Signer,
  node: Provider,
  more: Record<string, Method> = {},
): Provider {
  const methods: Readonly<Record<string, Method>> = {
    eth_requestAccounts: async () => [signer.address],
    eth_accounts: async () => [signer.address],
    eth_signTypedData_v4: ([, typed]) =>
      signer.signTypedData(JSON.parse(String(typed)) as TypedDataDefinition),
    personal_sign: ([message]) => signer.signMessage({ message: messageOf(message) }),
    ...more,
  }
  return {
    request: ({ method, params = [] }) =>
      methods[method]?.(params) ?? node.request({ method, params }),
  }
}

/** Returns a wallet that signs without confirmation and sends to the embedded chain. */
function developmentWallet({ key }: DevelopmentAccount): Provider {
  const account = privateKeyToAccount(key)
  return signingProvider(account, rpcProvider, {
    eth_sendTransaction: ([transaction]) => send(account, transaction as TransactionRequest),
  })
}

const messageOf = (message: unknown) => (isHex(message) ? { raw: message } : `${message as string}`)

type TransactionRequest = {
  readonly to: Hex
  readonly data: Hex
  readonly value: Hex
  readonly gas: Hex
}

async function send(
  account: PrivateKeyAccount,
  { to, data, value, gas }: TransactionRequest,
): Promise<Hex> {
  const read = (method: string, params: readonly unknown[] = []) =>
    rpcProvider.request({ method, params }) as Promise<Hex>
  const [chainId, nonce, gasPrice, tip] = await Promise.all([
    read('eth_chainId'),
    read('eth_getTransactionCount', [account.address, 'pending']),
    read('eth_gasPrice'),
    read('eth_maxPriorityFeePerGas'),
  ])
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: hexToNumber(chainId),
    nonce: hexToNumber(nonce),
    to,
    data,
    value: hexToBigInt(value),
    gas: hexToBigInt(gas),
    maxFeePerGas: hexToBigInt(gasPrice) * 2n + hexToBigInt(tip),
    maxPriorityFeePerGas: hexToBigInt(tip),
  })
  await broadcast(raw)
  return keccak256(raw)
}

/** The delay before a transaction is sent again, in milliseconds. */
const resendDelay = 1000

/**
 * Sends a signed transaction. If the server does not answer, it is sent again until the server
 * does: the bytes contain the nonce, so they take effect once however often they arrive.
 *
 * @throws {Problem} when the server limits this client, and so has done nothing
 */
async function broadcast(raw: Hex): Promise<void> {
  try {
    await rpcProvider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'request/too-many') throw error
    setTimeout(() => sendAgain(raw), resendDelay)
  }
}

// The first try may have arrived, so an error of a later one does not prove that nothing happened.
async function sendAgain(raw: Hex): Promise<void> {
  try {
    await rpcProvider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  } catch (error) {
    if (!(error instanceof Problem)) return
    setTimeout(() => sendAgain(raw), Math.max(resendDelay, (error.wait ?? 0) * 1000))
  }
}
