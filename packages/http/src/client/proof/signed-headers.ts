import type { SignedPlace } from '../../api/signed-place.ts'
import type { Deployment } from '../responses.ts'
import { decodeResponse } from '../transport/decode-response.ts'
import type { Timers } from '../transport/timers.ts'
import type { Transport } from '../transport/transport.ts'
import type { Account } from './access-proof.ts'

/** The parts that sign a request for the server at the address that the client uses. */
export type RequestSigner = {
  readonly transport: Transport
  readonly url: string | URL
  readonly timers: Timers
}

/** Returns the headers of a proof: the account signs the text for this server and this time. */
export async function signedHeaders(
  { transport, url, timers }: RequestSigner,
  { address, signMessage }: Account,
  textOf: (place: SignedPlace, timestamp: number) => string,
): Promise<Record<string, string>> {
  const reply = await transport.send({ method: 'GET', path: '/api/deployment', options: {} })
  const { chainId, registry } = decodeResponse<Deployment>(reply)
  const timestamp = Math.floor(timers.now() / 1000)
  const message = textOf({ host: new URL(url).host, chainId, registry }, timestamp)
  const signature = await signMessage({ message })
  return { 'x-wallet-address': address, 'x-timestamp': `${timestamp}`, 'x-signature': signature }
}
