import { type Hex, hexToBigInt, hexToNumber, isHex, keccak256 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { Problem } from '../api/problem.ts'
import type { DevelopmentAccount } from './development-accounts.ts'
import type { Provider } from './provider.ts'
import { rpcProvider } from './rpc-provider.ts'

/** A wallet with one account, which signs without asking and sends through the server's chain. */
export function developmentWallet({ key }: DevelopmentAccount): Provider {
  const account = privateKeyToAccount(key)
  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_requestAccounts: async () => [account.address],
    eth_accounts: async () => [account.address],
    personal_sign: ([message]) => account.signMessage({ message: messageOf(message) }),
    eth_sendTransaction: ([wanted]) => send(account, wanted as Wanted),
  }
  return {
    request: ({ method, params = [] }) =>
      methods[method]?.(params) ?? rpcProvider.request({ method, params }),
  }
}

const messageOf = (message: unknown) => (isHex(message) ? { raw: message } : `${message as string}`)

type Wanted = {
  readonly to: Hex
  readonly data: Hex
  readonly value: Hex
  readonly gas: Hex
}

async function send(account: PrivateKeyAccount, { to, data, value, gas }: Wanted): Promise<Hex> {
  const ask = (method: string, params: readonly unknown[] = []) =>
    rpcProvider.request({ method, params }) as Promise<Hex>
  const [chainId, nonce, gasPrice, tip] = await Promise.all([
    ask('eth_chainId'),
    ask('eth_getTransactionCount', [account.address, 'pending']),
    ask('eth_gasPrice'),
    ask('eth_maxPriorityFeePerGas'),
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

/** How long to wait before sending again what may not have arrived, in milliseconds. */
const patience = 1000

/**
 * Sends signed bytes. Where the server does not answer they go out again until it does: the bytes
 * name their nonce, so they take effect once however often they arrive.
 *
 * @throws {Problem} when the server has this client wait, which leaves nothing done
 */
async function broadcast(raw: Hex): Promise<void> {
  try {
    await rpcProvider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'request/too-many') throw error
    setTimeout(() => sendAgain(raw), patience)
  }
}

// The first try may have arrived, so no refusal of a later one tells that nothing was done.
async function sendAgain(raw: Hex): Promise<void> {
  try {
    await rpcProvider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  } catch (error) {
    if (!(error instanceof Problem)) return
    setTimeout(() => sendAgain(raw), Math.max(patience, (error.wait ?? 0) * 1000))
  }
}
