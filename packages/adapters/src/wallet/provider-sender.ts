import { Failure, type Hex } from '@heirloom/core'
import {
  getAddress,
  getTypesForEIP712Domain,
  numberToHex,
  type ReplacementReturnType,
  serializeTypedData,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { failureIn, miningTimeout } from '../ledger/acts/index.ts'
import { type WalletChain, wrongChain } from './open-chain.ts'
import type { Provider, TransactionSender } from './sender.ts'
import { WalletError } from './wallet-error.ts'

/**
 * Returns the sender of a wallet that signs and sends by itself (EIP-1193). The wallet chooses nonce
 * and fees, and its user may replace a transaction there.
 *
 * @throws `client/declined`, `ledger/unavailable`
 */
export async function providerSender(
  provider: Provider,
  { client, chainId }: Pick<WalletChain, 'client' | 'chainId'>,
  timeout: number = miningTimeout,
): Promise<TransactionSender> {
  const call = <T>(method: string, params: readonly unknown[] = []) =>
    provider
      .request({ method, params })
      .catch((error: unknown) => refuse(method, error)) as Promise<T>
  // Its user can switch the chain at any time.
  const requireChain = async () => {
    const current = Number(await call<Hex>('eth_chainId'))
    if (current !== chainId) throw wrongChain(current, chainId)
  }
  const [first] = await call<readonly Hex[]>('eth_requestAccounts')
  const address = getAddress(first ?? '0x')
  return {
    address,
    signMessage: ({ message }) => call('personal_sign', [stringToHex(message), address]),
    signTypedData: async (data) => {
      await requireChain()
      return call('eth_signTypedData_v4', [address, encodeTypedData(data)])
    },
    send: async ({ to, data, value = 0n, gas = 0n }, { onRequest, onSent }) => {
      await requireChain()
      const amounts = { value: numberToHex(value), gas: numberToHex(gas) }
      const transaction = { from: address, to, data, ...amounts, chainId: numberToHex(chainId) }
      onRequest?.()
      const txHash = await call<Hex>('eth_sendTransaction', [transaction])
      try {
        onSent({ txHash })
      } catch (cause) {
        throw new Failure('transaction/unconfirmed', { txHash }, { cause })
      }
    },
    waitForReceipt: async ({ txHash }) => {
      let replacement: ReplacementReturnType | undefined
      const onReplaced = (it: ReplacementReturnType) => {
        replacement = it
      }
      const wait = { hash: txHash, timeout, onReplaced }
      const receipt = await client.waitForTransactionReceipt(wait).catch((cause: unknown) => {
        throw new Failure('transaction/unconfirmed', { txHash }, { cause })
      })
      if ((replacement?.reason ?? 'repriced') === 'repriced') return receipt
      throw new Failure('transaction/cancelled', { txHash })
    },
  }
}

/** Encodes typed data as wallets take it, with the type of its domain. */
export function encodeTypedData({
  domain = {},
  types,
  primaryType,
  message,
}: TypedDataDefinition): string {
  const all = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types }
  return serializeTypedData({ domain, types: all, primaryType, message } as never)
}

/** The code of a wallet whose user declined. */
const declined = 4001

/**
 * The codes of a wallet or its node that prove that nothing was sent: no permission, a method that is
 * unknown, input that is malformed or refused. Others, such as an internal error, a lost connection or a
 * request that has expired, may follow a transaction that was sent.
 */
const unsent: readonly unknown[] = [
  ...[declined, 4100, 4200],
  ...[-32700, -32600, -32601, -32602, -32002, -32003, -32004, -32005],
]

function refuse(method: string, cause: unknown): never {
  const { code } = Object(cause) as { readonly code?: unknown }
  if (code === declined) {
    const message = 'The user of the wallet declined; nothing was sent.'
    throw new WalletError('client/declined', {}, { message, cause })
  }
  const known = failureIn(cause)
  if (method === 'eth_sendTransaction' && known === undefined && !unsent.includes(code)) {
    throw new Failure('transaction/unknown', {}, { cause })
  }
  throw known ?? new Failure('ledger/unavailable', { operation: method }, { cause })
}
