import type { Hex } from 'viem'
import { fetchOk } from '../api/get-json.ts'
import { accessKey } from '../create/access-key.ts'
import type { SignedAct } from './signed-act.ts'

/**
 * Sends a signed act to the relay of the server, and returns the hash of its transaction. The same
 * act is sent once, however often it is asked for.
 *
 * @throws {Problem} when the server refuses, or does not answer
 */
export async function postRelay({ body }: Pick<SignedAct, 'body'>): Promise<Hex> {
  const key = accessKey.value
  const response = await fetchOk('/api/relay', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  const { txHash } = (await response.json()) as { readonly txHash: Hex }
  return txHash
}
