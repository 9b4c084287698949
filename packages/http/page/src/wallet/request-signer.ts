import type { Account, RequestSigner } from '../../../src/client/proof/access-proof.ts'
import type { ReceivedResponse } from '../../../src/client/transport/decode-response.ts'
import type { Call } from '../../../src/client/transport/transport.ts'
import { fetchOk } from '../api/get-json.ts'
import type { ConnectedWallet } from './connected-wallet.ts'
import { textSigner } from './sign-text.ts'

/**
 * Returns the parts of the calls of the client that a wallet signs. They are sent as the page sends its
 * own, so they throw a `Problem` when the wallet or the server refuses.
 */
export const requestSigner = (
  wallet: ConnectedWallet,
): RequestSigner & { readonly account: Account } => ({
  account: textSigner(wallet),
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
