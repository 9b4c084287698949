import { eraseText } from '../api/erase-text.ts'
import type { Account } from './proof/access-proof.ts'
import type { TokenIdInput } from './requests.ts'
import type { Deployment, Erased } from './responses.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeTokenId } from './transport/encode-values.ts'
import type { Timers } from './transport/timers.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** The owner that erases. */
export type EraseTerms = {
  /**
   * The owner of the token: the account of the client, which signs, or the agent wallet of the server,
   * for an API key with the scope admin. The account when absent, if the client has one.
   */
  readonly as?: 'account' | 'agent' | undefined
}

/** Erases the memory of a token for ever. */
export type Erase = (
  tokenId: TokenIdInput,
  terms?: EraseTerms,
  options?: Pick<CallOptions, 'signal'>,
) => Promise<Erased>

type Parts = {
  readonly transport: Transport
  readonly url: string | URL
  readonly account: Account | undefined
  readonly timers: Timers
}

/** Creates the `erase` call. It may be repeated: a memory that was erased stays as it is. */
export const createErase =
  ({ transport, url, account, timers }: Parts): Erase =>
  async (id, { as = 'account' } = {}, options = {}) => {
    const tokenId = encodeTokenId(id)
    const signer = as === 'account' ? account : undefined
    const headers = signer && (await proofOf({ transport, url, timers }, signer, tokenId))
    const path = `/api/memory/${tokenId}/erase`
    const response = await transport.send({
      ...{ method: 'POST', path, options },
      ...(headers && { headers: () => headers }),
    })
    return decodeResponse<Erased>(response)
  }

/** Returns the headers of a proof for the server at the address that the client uses. */
async function proofOf(
  { transport, url, timers }: Omit<Parts, 'account'>,
  { address, signMessage }: Account,
  tokenId: string,
): Promise<Record<string, string>> {
  const reply = await transport.send({ method: 'GET', path: '/api/deployment', options: {} })
  const { chainId, registry } = decodeResponse<Deployment>(reply)
  const timestamp = Math.floor(timers.now() / 1000)
  const place = { host: new URL(url).host, chainId, registry }
  const message = eraseText(place, { tokenId, account: address, timestamp })
  const signature = await signMessage({ message })
  return { 'x-wallet-address': address, 'x-timestamp': `${timestamp}`, 'x-signature': signature }
}
