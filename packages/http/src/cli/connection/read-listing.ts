import type { Listing } from '../../client/responses.ts'
import type { Writer } from './connect-writer.ts'

/** Reads the terms of a token; from the chain if your own wallet signs. */
export const readListing = (
  { client, wallet }: Pick<Writer, 'client' | 'wallet'>,
  id: string,
  signal: AbortSignal,
): Promise<Listing> => wallet?.listing(id) ?? client.listing(id, { signal })
