import { type Hex, isHash } from 'viem'
import { addressOf } from '../api/address-of.ts'
import { fetchOk } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
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
  const response = await fetchOk(addressOf('relay', {}), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  const { txHash } = (await response.json()) as { readonly txHash?: unknown }
  if (isHash(`${txHash}`)) return `${txHash}` as Hex
  throw otherTransaction()
}

/** Returns the problem of a server that named a transaction in vain. */
export const otherTransaction = (): Problem =>
  new Problem(
    'The server named a transaction that does not carry out what you signed.',
    'Look at your memories before you try again. Trying again signs nothing that could be paid twice.',
    { code: 'relay/other-transaction' },
  )
