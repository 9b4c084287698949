import type { BrowserContext, Page } from 'playwright-core'
import type { Page as FirefoxPage } from 'puppeteer-core'
import {
  type Hex,
  hexToBigInt,
  hexToNumber,
  isHex,
  numberToHex,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { post } from '../harness/process/server.ts'

/** A wallet like that of a browser extension (EIP-1193, announced by EIP-6963). */
export type InjectedWallet = {
  readonly account: PrivateKeyAccount
  /** Injects it into the pages of a visitor. */
  readonly install: (context: BrowserContext, name: string) => Promise<void>
  /** Injects it into a page of Firefox. */
  readonly installInFirefox: (page: FirefoxPage, name: string) => Promise<void>
  /** Sends it a request, like a page. */
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** Called before each request. */
  before: (method: string) => Promise<void> | void
  /** Called after a transaction was sent, before its hash is returned. */
  afterSend: () => Promise<void> | void
  /** Its current chain. */
  chainId: number
  /** The chains that it knows. */
  readonly chains: Set<number>
  /** The chains that pages have added, as they described them. */
  readonly added: object[]
  /** Its answers that are other than those of its key, by the method. */
  own: Readonly<Record<string, (params: readonly never[]) => Promise<unknown>>>
  /** The typed messages that pages had it sign. */
  readonly signed: TypedDataDefinition[]
}

/** An error of the wallet. */
export class WalletRefusal extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

async function rpc<T>(node: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = (await (await post(node, '', body)).json()) as {
    readonly result: T
    readonly error?: WalletRefusal
  }
  if (error !== undefined) throw new WalletRefusal(error.code, error.message, error.data)
  return result
}

type Call = { readonly method: string; readonly params?: readonly unknown[] }
type Reply = { readonly result: unknown } | { readonly error: object }

/** The node of a server's embedded chain. */
export const embeddedNode = (serverUrl: () => string) => (): string => `${serverUrl()}/rpc`

/** Returns a wallet with one key, which uses the chain of a node. */
export function injectedWallet(key: Hex, node: () => string): InjectedWallet {
  const account = privateKeyToAccount(key)
  const reply = (call: Call, page?: Page): Promise<Reply> =>
    answer(wallet, node(), call, page).then(
      (result) => ({ result }),
      ({ code = -32_603, message, data }: WalletRefusal) => ({ error: { code, message, data } }),
    )
  const wallet: InjectedWallet = {
    account,
    before: () => undefined,
    afterSend: () => undefined,
    chainId: 31_337,
    chains: new Set([31_337]),
    added: [],
    own: {},
    signed: [],
    request: (method, params) => answer(wallet, node(), { method, params }),
    install: async (context, name) => {
      await context.exposeBinding('requestInjectedWallet', ({ page }, call: Call) =>
        reply(call, page),
      )
      await context.addInitScript(announce, name)
    },
    installInFirefox: async (page, name) => {
      await page.exposeFunction('requestInjectedWallet', (call: Call) => reply(call))
      await page.evaluateOnNewDocument(announce, name)
    },
  }
  return wallet
}

async function answer(
  wallet: InjectedWallet,
  node: string,
  call: Call,
  page?: Page,
): Promise<unknown> {
  const { method, params = [] } = call
  await wallet.before(method)
  const { account, own } = wallet
  const instead = own[method]
  if (instead !== undefined) return instead(params as readonly never[])
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      // In lower case, like many wallets.
      return [account.address.toLowerCase()]
    case 'eth_chainId':
      return numberToHex(wallet.chainId)
    case 'wallet_switchEthereumChain': {
      const [{ chainId }] = params as [{ chainId: Hex }]
      return switchTo(wallet, chainId, page)
    }
    case 'wallet_addEthereumChain': {
      const [chain] = params as [{ chainId: Hex }]
      wallet.added.push(chain)
      wallet.chains.add(hexToNumber(chain.chainId))
      return switchTo(wallet, chain.chainId, page)
    }
    case 'personal_sign': {
      const [raw] = params
      return account.signMessage({ message: isHex(raw) ? { raw } : String(raw) })
    }
    case 'eth_signTypedData_v4': {
      const [signer, typed] = params as [string, string]
      if (signer.toLowerCase() !== account.address.toLowerCase()) {
        throw new WalletRefusal(4100, 'Another account.')
      }
      wallet.signed.push(JSON.parse(typed))
      return account.signTypedData(JSON.parse(typed) as TypedDataDefinition)
    }
    case 'eth_sendTransaction':
      return send(wallet, node, params[0] as TransactionRequest)
    default:
      return rpc(node, method, params)
  }
}

async function switchTo(wallet: InjectedWallet, chainId: Hex, page?: Page): Promise<null> {
  if (!wallet.chains.has(hexToNumber(chainId))) {
    throw new WalletRefusal(4902, 'Unrecognized chain ID.')
  }
  wallet.chainId = hexToNumber(chainId)
  await page?.evaluate(
    (id) => dispatchEvent(new CustomEvent('wallet-chain', { detail: id })),
    chainId,
  )
  return null
}

type TransactionRequest = {
  readonly to: Hex
  readonly data: Hex
  readonly value: Hex
  /** The gas limit; the wallet estimates it when absent. */
  readonly gas?: Hex
}

/** Returns the estimated gas plus a quarter, like wallets. */
async function gasLimit(
  from: Hex,
  node: string,
  { to, data, value }: TransactionRequest,
): Promise<bigint> {
  const estimate = await rpc<Hex>(node, 'eth_estimateGas', [{ from, to, data, value }])
  return (hexToBigInt(estimate) * 5n) / 4n
}

async function send(
  wallet: InjectedWallet,
  node: string,
  transaction: TransactionRequest,
): Promise<Hex> {
  const { account } = wallet
  const nonce = await rpc<Hex>(node, 'eth_getTransactionCount', [account.address, 'pending'])
  const gasPrice = await rpc<Hex>(node, 'eth_gasPrice', [])
  const { gas } = transaction
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: wallet.chainId,
    nonce: hexToNumber(nonce),
    to: transaction.to,
    data: transaction.data,
    value: hexToBigInt(transaction.value),
    gas: gas === undefined ? await gasLimit(account.address, node, transaction) : hexToBigInt(gas),
    maxFeePerGas: hexToBigInt(gasPrice) * 2n,
    maxPriorityFeePerGas: 0n,
  })
  const hash = await rpc<Hex>(node, 'eth_sendRawTransaction', [raw])
  await wallet.afterSend()
  return hash
}

/** Runs in the page: announces a provider that forwards requests to the test. */
function announce(name: string): void {
  type Reply = { result?: unknown; error?: object }
  const send = (globalThis as never as { requestInjectedWallet(call: object): Promise<Reply> })
    .requestInjectedWallet
  const provider = {
    async request(call: object) {
      const { result, error } = await send(call)
      if (error !== undefined) throw Object.assign(new Error(), error)
      return result
    },
    on(name: string, call: (value: unknown) => void) {
      const type = name === 'chainChanged' ? 'wallet-chain' : 'wallet-accounts'
      addEventListener(type, (event) => call((event as CustomEvent).detail))
    },
  }
  const info = {
    uuid: '350670db-19fa-4704-a166-e52e178b59d2',
    name,
    rdns: 'example.injected',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>',
  }
  const announceProvider = () => {
    const detail = Object.freeze({ info, provider })
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  addEventListener('eip6963:requestProvider', announceProvider)
  announceProvider()
}
