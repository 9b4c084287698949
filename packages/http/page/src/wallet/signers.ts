import { encodeTypedData } from '@heirloom/adapters/internal/wallet'
import type { Hex, TypedDataDefinition } from 'viem'
import type { Account, RequestSigner } from '../../../src/client/access-proof.ts'
import { hexOf } from '../../../src/client/content-hash.ts'
import type { ReceivedResponse } from '../../../src/client/transport/decode-response.ts'
import type { Call } from '../../../src/client/transport/transport.ts'
import { fetchOk } from '../api/get-json.ts'
import type { ConnectedWallet, Provider } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/** Returns a wallet as what signs texts (EIP-191), and throws a `Problem` when it refuses. */
export const textSigner = ({ account, provider }: ConnectedWallet): Account => ({
  address: account,
  signMessage: ({ message }) =>
    sign(provider, 'personal_sign', [hexOf(new TextEncoder().encode(message)), account]),
})

type TypedDataSigner = {
  readonly address: Hex
  readonly signTypedData: (data: TypedDataDefinition) => Promise<Hex>
}

/** Returns a wallet as what signs typed data (EIP-712), and throws a `Problem` when it refuses. */
export const typedDataSigner = ({ account, provider }: ConnectedWallet): TypedDataSigner => ({
  address: account,
  signTypedData: (data) => sign(provider, 'eth_signTypedData_v4', [account, encodeTypedData(data)]),
})

async function sign(provider: Provider, method: string, params: readonly unknown[]): Promise<Hex> {
  try {
    return (await provider.request({ method, params })) as Hex
  } catch (error) {
    throw toWalletProblem(error)
  }
}

/**
 * Returns the parts of the calls of the client that a wallet signs. They are sent as the page sends its
 * own, so they throw a `Problem` when the wallet or the server refuses.
 */
export const requestSigner = (
  wallet: ConnectedWallet,
): RequestSigner & { readonly account: Account & TypedDataSigner } => ({
  account: { ...textSigner(wallet), ...typedDataSigner(wallet) },
  url: location.origin,
  timers: { now: () => Date.now() },
  transport: { send },
})

async function send({ method, path, body, ...call }: Call): Promise<ReceivedResponse> {
  const type = body && { 'content-type': 'application/json' }
  const headers = { ...type, ...(await call.headers?.()) }
  const response = await fetchOk(path, { method, headers, ...(body && { body }) })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
