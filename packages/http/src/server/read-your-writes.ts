import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { type Catalogue, type Ledger, type LedgerWrite, ledgerWrites } from '@heirloom/core'

type Indexed = Catalogue & Pick<SqlCatalogue, 'caughtUp'>

/** The methods for events, whose subscribers wait for the catalogue themselves. */
type EventMethod = 'eventsAfter' | 'newestEventId' | 'onChange'

/** Returns a signal that aborts after one second. */
const oneSecond = () => AbortSignal.timeout(1000)

/**
 * Returns a ledger and a catalogue that reads your writes: each read waits until the catalogue has
 * indexed every write that this ledger completed before. After the timeout the read answers from
 * what is indexed, and later reads do not wait again for the same writes.
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
  const counting = (through: Ledger): Ledger => ({ ...through, ...countedWrites(through, counted) })
  const reads: Omit<Catalogue, EventMethod> = {
    listings: (query) => afterCatchingUp(() => catalogue.listings(query)),
    facets: (filter) => afterCatchingUp(() => catalogue.facets(filter)),
    tokens: (query) => afterCatchingUp(() => catalogue.tokens(query)),
    token: (id) => afterCatchingUp(() => catalogue.token(id)),
    titles: (ids) => afterCatchingUp(() => catalogue.titles(ids)),
    lineage: (id, after) => afterCatchingUp(() => catalogue.lineage(id, after)),
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
