import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { Catalogue, Ledger } from '@heirloom/core'

type Followed = Catalogue & Pick<SqlCatalogue, 'caughtUp'>

/** Ends after a second. */
const aSecond = () => AbortSignal.timeout(1000)

/**
 * Returns a ledger and a catalogue whose reads tell of every write that this ledger answered before
 * they were asked. Where the catalogue cannot catch up in time, they tell what it knows, and do not
 * wait again for the same writes.
 */
export function ownWrites(
  ledger: Ledger,
  catalogue: Followed,
  patience: () => AbortSignal = aSecond,
): { readonly ledger: Ledger; readonly catalogue: Catalogue } {
  let written = 0
  let waitedFor = 0
  let caughtUp = Promise.resolve()
  const noticed = async <T>(write: Promise<T>): Promise<T> => {
    const answer = await write
    written += 1
    return answer
  }
  const after = async <T>(read: () => Promise<T>): Promise<T> => {
    if (waitedFor < written) {
      waitedFor = written
      // What keeps it from catching up is for the read itself to tell.
      caughtUp = catalogue.caughtUp(patience()).catch(() => undefined)
    }
    await caughtUp
    return read()
  }
  return {
    ledger: {
      ...ledger,
      mint: (token) => noticed(ledger.mint(token)),
      list: (offer) => noticed(ledger.list(offer)),
      buy: (purchase) => noticed(ledger.buy(purchase)),
      rent: (rental) => noticed(ledger.rent(rental)),
      fork: (licence) => noticed(ledger.fork(licence)),
      payRoyalty: (payment) => noticed(ledger.payRoyalty(payment)),
    },
    catalogue: {
      ...catalogue,
      listings: (query) => after(() => catalogue.listings(query)),
      tokens: (query) => after(() => catalogue.tokens(query)),
      token: (id) => after(() => catalogue.token(id)),
      lineage: (id) => after(() => catalogue.lineage(id)),
      history: (id, page) => after(() => catalogue.history(id, page)),
      rentals: (id, since, limit) => after(() => catalogue.rentals(id, since, limit)),
      earnings: (account) => after(() => catalogue.earnings(account)),
    },
  }
}
