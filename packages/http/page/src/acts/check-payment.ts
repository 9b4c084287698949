import {
  type DollarDomain,
  dollarBalanceOf,
  dollarDomainOf,
  reads,
} from '@heirloom/adapters/internal/acts'
import {
  type Currency,
  dollars,
  isFailure,
  type OrderTerms,
  orderTerms,
  requireFound,
  tokenId,
} from '@heirloom/core'
import type { Hex } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { readNumber } from '../../../../adapters/src/ledger/view.ts'
import type { Deployment } from '../../../src/client/responses.ts'
import { currencyOf, loadDeployment, shortAmount } from '../api/deployment.ts'
import { Problem } from '../api/problem.ts'
import { formatBps } from '../text/describe-royalties.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { type Chain, chainProvider, openChain } from '../wallet/open-chain.ts'
import { getPayment, type Payment } from './act.ts'

/** A payment in dollars that the chain allows now. */
export type CheckedPayment = Readonly<Awaited<ReturnType<typeof checkPayment>>>

/**
 * Checks a payment in dollars on the chain: the dollar, the terms that the visitor agreed to, and the
 * balance.
 *
 * @throws {Problem} when it would fail, or when anything is not as it was shown
 */
export async function checkPayment(act: Payment, wallet: ConnectedWallet) {
  const chain = await openChain(chainProvider(wallet))
  const { dollar: shown } = await loadDeployment()
  const dollar = await readDollar(chain, shown)
  const terms =
    act.kind === 'royalty' ? royaltyTerms(act) : requireTerms(act, await readListing(chain, act))
  /** The dollars of the payer. */
  const balance = await dollarBalanceOf(chain.client, dollar.address, wallet.account)
  if (balance < terms.price) {
    throw tooLittle('dollar', { balance, needed: terms.price, code: tooFewDollarsCode })
  }
  return { dollar, terms, balance }
}

/** Reads the live terms of a token from the chain. */
async function readListing(
  { client, pair }: Chain,
  { tokenId: id }: Pick<Payment, 'tokenId'>,
): Promise<Listing> {
  const of = tokenId(id)
  return requireFound(of, await reads(client, pair).listing(of))
}

const royaltyTerms = (act: Payment): OrderTerms => ({
  act: 'royalty',
  days: 0,
  maxRoyaltyBps: 0,
  price: dollars(getPayment(act)),
})

type Listing = Parameters<typeof orderTerms>[0]

/**
 * Returns the terms of an order for a listed token, and requires that they are those of the act.
 *
 * @throws {Problem}
 */
export function requireTerms(
  act: Exclude<Payment, { kind: 'royalty' }>,
  listing: Listing,
): OrderTerms {
  const terms = readTerms(act, listing)
  const agreed = getPayment(act)
  if (terms.price !== agreed)
    throw changed(describePrices(act, terms.price, agreed), 'price-changed')
  if (act.kind === 'fork' && terms.maxRoyaltyBps > act.royaltyBps) {
    const [now, then] = [terms.maxRoyaltyBps, act.royaltyBps].map(formatBps)
    const sentence = `Forks of No. ${act.tokenId} now owe ${now} in total, and you agreed to ${then}.`
    throw changed(sentence, 'royalty-changed')
  }
  return terms
}

function readTerms(act: Exclude<Payment, { kind: 'royalty' }>, listing: Listing): OrderTerms {
  const days = act.kind === 'rent' ? act.days : 0
  try {
    return orderTerms(listing, { act: act.kind, days })
  } catch (error) {
    if (!isFailure(error)) throw error
    if (error.code !== 'listing/currency-changed') throw changed(error.message, error.code)
    const sentence = `No. ${act.tokenId} is now priced in another currency than you agreed to.`
    throw changed(sentence, error.code)
  }
}

function describePrices({ tokenId }: Payment, now: bigint, agreed: bigint): string {
  const [price, offered] = [now, agreed].map((it) => shortAmount(it, 'dollar'))
  return `The price of No. ${tokenId} has changed: it is ${price}, and you agreed to ${offered}.`
}

const changed = (sentence: string, code: string) =>
  new Problem(sentence, 'Nothing was signed or paid. Try again to see the current terms.', {
    code: code.includes('/') ? code : `listing/${code}`,
  })

/** The code of a wallet without enough dollars. */
export const tooFewDollarsCode = 'dollars/short'

type Shortage = { readonly balance: bigint; readonly needed: bigint; readonly code: string }

/** Returns the problem of a wallet that holds too little of a currency. */
export function tooLittle(kind: Currency, { balance, needed, code }: Shortage): Problem {
  const [has, needs] = [balance, needed].map((it) => shortAmount(it, kind))
  return new Problem(
    `This wallet holds ${has}, and ${needs} is needed.`,
    `Nothing was paid. Add ${currencyOf(kind).symbol} to the wallet, or connect another one.`,
    { code },
  )
}

/**
 * Reads the dollar of the contracts and the domain in which its holders sign from the chain. What the
 * server says of it is only compared.
 *
 * @throws {Problem} when there is none, or it is not what the page shows or would let a wallet sign
 */
async function readDollar(
  { chainId, client, pair }: Chain,
  shown: Deployment['dollar'],
): Promise<DollarDomain> {
  const view = { address: pair.marketplace, abi, name: 'dollar' }
  const bound = await readNumber(client, view, [])
  if (bound === 0n) throw refused('These contracts have no dollar.', 'dollar/missing')
  const address = (shown?.address ?? '0x0') as Hex
  if (bound !== BigInt(address)) throw otherDollar()
  const dollar = await dollarDomainOf(client, { chainId, address }).catch(explainUnfit)
  if (dollar.symbol !== shown?.symbol) throw otherDollar()
  return dollar
}

function explainUnfit(error: unknown): never {
  if (!isFailure(error, 'config/invalid')) throw error
  throw refused(
    'The dollar signs in another domain than its name and version say.',
    'dollar/other-domain',
  )
}

const otherDollar = () =>
  refused('The server names another dollar than its contracts have.', 'dollar/other')

const refused = (sentence: string, code: string) =>
  new Problem(sentence, 'Nothing was signed. Tell the operator of this server.', { code })
