import type { Act as LedgerAct } from '@heirloom/adapters/internal/acts'
import { dollars, noPrices, type Terms, wei } from '@heirloom/core'
import type { Hex } from 'viem'
import { mapPrices } from '../../../src/api/prices.ts'
import { type Act, getPayment, type HeirAct, isHeirAct } from './act.ts'
import type { Terms as ListedTerms } from './listing-terms.ts'

/** Returns an act of an account as its wallet encodes it; a payment in dollars is an order instead. */
export function ledgerActOf(act: Act, account: Hex): LedgerAct {
  if (isHeirAct(act)) return ledgerHeirAct(act)
  if (act.kind === 'mint') return { kind: 'mint', ...itemOf(act.seal) }
  if (act.kind === 'withdraw') {
    return { kind: act.currency === 'dollar' ? 'withdrawDollars' : 'withdraw', to: account }
  }
  const tokenId = BigInt(act.tokenId)
  const paid = { tokenId, recipient: account, price: getPayment(act) }
  switch (act.kind) {
    case 'buy':
      return { kind: 'buy', ...paid }
    case 'rent':
      return { kind: 'rent', ...paid, days: act.days }
    case 'fork':
      return { kind: 'fork', ...paid, maxRoyaltyBps: act.royaltyBps }
    case 'royalty':
      return { kind: 'payRoyalty', tokenId, amount: paid.price }
    case 'list':
      return { kind: 'list', tokenId, ...termsOf(act.terms) }
    case 'take-down':
      return { kind: 'list', tokenId, ...noPrices, forkRoyaltyBps: 0 }
    case 'transfer':
      return { kind: 'transfer', tokenId, from: account, to: act.to }
  }
}

const itemOf = ({ creator, contentHash, digest, parent, card }: MintedSeal) => ({
  recipient: creator,
  contentHash,
  digest,
  parent: BigInt(parent),
  card,
})

type MintedSeal = Extract<Act, { kind: 'mint' }>['seal']

function termsOf({ currency, forkRoyaltyBps, ...prices }: ListedTerms): Terms {
  if (currency === 'native') return { ...mapPrices(prices, (it) => wei(it)), forkRoyaltyBps }
  return { ...noPrices, forkRoyaltyBps, dollars: mapPrices(prices, (it) => dollars(it)) }
}

function ledgerHeirAct(act: HeirAct): LedgerAct {
  switch (act.kind) {
    case 'name-heir':
      return { ...act, kind: 'nameHeir' }
    case 'clear-heir':
      return { kind: 'nameHeir', heir: undefined }
    case 'heartbeat':
      return act
    case 'announce-takeover':
      return { ...act, kind: 'announceTakeover' }
    case 'take-over':
      return { ...act, kind: 'takeOver', tokenIds: act.tokenIds.map(BigInt) }
    case 'take-over-credit':
      return { ...act, kind: 'takeOverCredit' }
  }
}
