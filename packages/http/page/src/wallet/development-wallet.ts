import {
  type Hex,
  hexToBigInt,
  hexToNumber,
  isHex,
  keccak256,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Problem } from '../api/problem.ts'
import type { Provider } from './connected-wallet.ts'
import type { DevelopmentAccount } from './development-accounts.ts'
import { rpcProvider } from './rpc-provider.ts'

/** Returns a wallet with one account, which signs without confirmation and sends to the embedded chain. */
export function developmentWallet({ key }: DevelopmentAccount): Provider {
  const account = privateKeyToAccount(key)
  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_requestAccounts: async () => [account.address],
    eth_accounts: async () => [account.address],
    eth_signTypedData_v4: ([, typed]) =>
      account.signTypedData(JSON.parse(String(typed)) as TypedDataDefinition),
    personal_sign: ([message]) => account.signMessage({ message: messageOf(message) }),
    eth_sendTransaction: ([transaction]) => send(account, transaction as TransactionRequest),
  }
  return {
    request: ({ method, params = [] }) =>
      methods[method]?.(params) ?? rpcProvider.request({ method, params }),
  }
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
