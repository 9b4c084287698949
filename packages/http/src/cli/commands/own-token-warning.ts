import type { Client } from '../../client/client.ts'

/** A purchase or rental that is about to be paid. */
type Acquisition = {
  readonly verb: 'buy' | 'rent' | 'fork'
  readonly id: string
  readonly seller: string
  /** The receiver; the wallet of the server when absent. */
  readonly recipient: string | undefined
  readonly signal: AbortSignal
}

/**
 * Returns a warning when the receiver of a purchase or a rental already owns the token; `undefined`
 * otherwise. A fork of an own token is a new token, so it needs no warning.
 */
export async function ownTokenWarning(
  client: Client,
  { verb, id, seller, recipient, signal }: Acquisition,
): Promise<string | undefined> {
  if (verb === 'fork') return undefined
  const receiver = recipient ?? (await client.deployment({ signal })).agent
  if (receiver.toLowerCase() !== seller.toLowerCase()) return undefined
  return verb === 'buy'
    ? `Token ${id} already belongs to ${receiver}: buying it changes nothing, and costs fees and royalties.`
    : `Token ${id} belongs to ${receiver}, which can open it without renting it.`
}
