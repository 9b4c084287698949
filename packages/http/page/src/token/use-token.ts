import { mostRentals } from '../../../src/api/bounds.ts'
import type { Lineage, Rental, Token } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'
import { type Resource, useRead, useResource } from '../api/use-resource.ts'
import { isSameAccount } from '../text/account.ts'

/** Loads the row of a token, from which a memory is shown and bought whatever else fails. */
export const useToken = (tokenId: string | undefined): Resource<Token> =>
  useResource(tokenId ?? '', (signal) => readToken(tokenId ?? '', signal))

async function readToken(tokenId: string, signal: AbortSignal): Promise<Token> {
  const page = await readNow('tokens', { tokenId, limit: 1 }, { signal })
  const [token] = page.items
  if (token !== undefined) return token
  // Only the chain says that a token does not exist.
  await readNow('provenance', { tokenId }, { signal })
  throw new Problem(
    'This memory is new: the server is still reading it from the chain.',
    'This page shows it in a moment.',
    { code: 'catalogue/behind', isRetryable: true },
  )
}

/** The descendants that are read of a family, of which the graph draws the first. */
const drawn = 50

/** Loads the nearest relatives of a token, and the split of its price; nothing without a token. */
export const useFamily = (tokenId: string | undefined): Resource<Lineage> =>
  useRead('lineage', tokenId === undefined ? undefined : { tokenId, limit: drawn })

/** Returns whether an account may open a memory; `undefined` if the page cannot know. */
export function hasAccess(
  account: string | undefined,
  owner: string,
  rentals: readonly Pick<Rental, 'renter'>[] | undefined,
): boolean | undefined {
  if (isSameAccount(owner, account)) return true
  if (rentals?.some(({ renter }) => isSameAccount(renter, account))) return true
  return rentals === undefined || rentals.length >= mostRentals ? undefined : false
}
