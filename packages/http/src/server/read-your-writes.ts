import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import {
  type Catalogue,
  Failure,
  isFailure,
  type Ledger,
  type LedgerWrite,
  ledgerWrites,
  type TokenId,
} from '@heirloom/core'

type Indexed = Catalogue & Pick<SqlCatalogue, 'caughtUp'>

/** The methods for events, whose subscribers wait for the catalogue themselves. */
type EventMethod = 'eventsAfter' | 'newestEventId' | 'onChange'

/** Returns a signal that aborts after one second. */
const oneSecond = () => AbortSignal.timeout(1000)

/**
 * Returns a ledger and a catalogue that reads your writes: each read waits until the catalogue has
 * indexed every write that this ledger completed before. After the timeout the read answers from
 * what is indexed, and later reads do not wait again for the same writes. A token of the catalogue that
 * the chain does not show is `ledger/unavailable`, not absent.
 */
export function readYourWrites(
  ledger: Ledger,
  catalogue: Indexed,
  timeout: () => AbortSignal = oneSecond,
): {
  readonly ledger: Ledger
  readonly catalogue: Catalogue
  /** Returns a ledger of another wallet on the same chain, whose writes later reads wait for, too. */
  readonly counting: (ledger: Ledger) => Ledger
  /** Makes later reads wait for a write that is not one of the ledger's. */
  readonly counted: <T>(write: Promise<T>) => Promise<T>
} {
  let completed = 0
  let awaited = 0
  let catchUp = Promise.resolve()
  const counted = async <T>(write: Promise<T>): Promise<T> => {
    const answer = await write
    completed += 1
    return answer
  }
  const afterCatchingUp = async <T>(read: () => Promise<T>): Promise<T> => {
    if (awaited < completed) {
      awaited = completed
      // The read itself reports a catalogue that cannot catch up.
      catchUp = catalogue.caughtUp(timeout()).catch(() => undefined)
    }
    await catchUp
    return read()
  }
  const counting = (through: Ledger): Ledger => ({
    ...through,
    ...knownReads(through, catalogue),
    ...countedWrites(through, counted),
  })
  const reads: Omit<Catalogue, EventMethod> = {
    listings: (query) => afterCatchingUp(() => catalogue.listings(query)),
    facets: (filter, since) => afterCatchingUp(() => catalogue.facets(filter, since)),
    tokens: (query) => afterCatchingUp(() => catalogue.tokens(query)),
    token: (id) => afterCatchingUp(() => catalogue.token(id)),
    titles: (ids) => afterCatchingUp(() => catalogue.titles(ids)),
    lineage: (id, part) => afterCatchingUp(() => catalogue.lineage(id, part)),
    history: (id, page) => afterCatchingUp(() => catalogue.history(id, page)),
    rentals: (id, since, limit) => afterCatchingUp(() => catalogue.rentals(id, since, limit)),
    activity: (query) => afterCatchingUp(() => catalogue.activity(query)),
    earnings: (account) => afterCatchingUp(() => catalogue.earnings(account)),
    eachEarning: (account, page) => afterCatchingUp(() => catalogue.eachEarning(account, page)),
    heirOf: (heir, page) => afterCatchingUp(() => catalogue.heirOf(heir, page)),
  }
  return {
    ledger: counting(ledger),
    catalogue: { ...catalogue, ...reads },
    counting,
    counted,
  }
}

type Counted = <T>(write: Promise<T>) => Promise<T>

const countedWrites = (ledger: Ledger, counted: Counted) =>
  Object.fromEntries(
    ledgerWrites.map((write) => [write, (given: never) => counted<unknown>(ledger[write](given))]),
  ) as Pick<Ledger, LedgerWrite>

/**
 * Returns the reads of one token by a ledger. Only a node that is behind, a reorganisation, or a lie hides
 * a token whose mint the catalogue has, so no answer says that it does not exist.
 */
function knownReads(
  ledger: Ledger,
  catalogue: Pick<Catalogue, 'token'>,
): Pick<Ledger, 'access' | 'holding' | 'provenance' | 'listing'> {
  const isKnown = async (id: TokenId) =>
    (await catalogue.token(id).catch(() => undefined)) !== undefined
  const found = async <T>(id: TokenId, operation: string, read: Promise<T | undefined>) => {
    const result = await read.catch((error: unknown) => {
      if (isFailure(error, 'token/not-found')) return undefined
      throw error
    })
    if (result !== undefined || !(await isKnown(id))) return result
    throw new Failure('ledger/unavailable', { operation })
  }
  return {
    access: (id, account) => found(id, 'accessOf', ledger.access(id, account)),
    holding: (id) => found(id, 'holdingOf', ledger.holding(id)),
    provenance: (id) => found(id, 'recordOf', ledger.provenance(id)),
    listing: (id) => found(id, 'listingOf', ledger.listing(id)),
  }
}
