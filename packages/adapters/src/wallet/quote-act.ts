import { account, Failure, type Hex, isFailure } from '@heirloom/core'
import { type Act, encodeAct } from '../ledger/acts/index.ts'
import type { Actor } from './actor.ts'
import type { OrderAct } from './open-orders.ts'
import type { Performed, Performer, WalletAct } from './performer.ts'

/** The cost of an act that was simulated and not sent; amounts are in wei, as decimal strings. */
export type Quote = {
  /** The account that would pay. */
  readonly from: Hex
  /** The contract that would be called. */
  readonly to: Hex
  /** The payment, without the fees of the transaction. */
  readonly price: string
  /** The highest fees; `null` when the balance does not even suffice without them. */
  readonly maxFee: string | null
  /** The balance of the account. */
  readonly balance: string
  /** The price in dollars and the dollars of the account, in their smallest unit. */
  readonly dollars?: { readonly asset: Hex; readonly price: string; readonly balance: string }
}

/** An actor that only simulates its acts, and the quote of its last one. */
type QuotingActor = { readonly actor: Actor; readonly quote: () => Quote }

type Parts = Pick<Performer, 'chain' | 'sender'>

/** Returns an actor that sends and signs nothing. */
export function quotingActor(actor: Actor, parts: Parts): QuotingActor {
  let quote: Quote | undefined
  const perform = async (act: WalletAct): Promise<Performed> => {
    quote = act.kind === 'order' ? await quoteOrder(parts, act, actor) : await quoteAct(parts, act)
    return { ...noEffect, act }
  }
  const recall = async () => undefined
  const requirePayable = async () => undefined
  const quoting = { ...actor, perform, recall, recallOrder: recall, requirePayable }
  return { actor: quoting, quote: () => requireQuote(quote) }
}

function requireQuote(quote: Quote | undefined): Quote {
  if (quote === undefined) throw new Error('The act performed nothing.')
  return quote
}

const noEffect = {
  ...({ txHash: '0x', tokenIds: [0n], expiresAt: 0n, withdrawn: 0n } as const),
  takeoverAt: 0n,
  creditTakenOver: undefined,
}

async function quoteAct({ chain, sender }: Parts, act: Act): Promise<Quote> {
  const { to, value } = encodeAct(chain.pair, act)
  const price = `${value}`
  const payer = await payerOf({ chain, sender })
  const maxFee = await sender.prepare(act).then(
    ({ cost }) => cost - value,
    (error: unknown) => {
      if (!isFailure(error, 'wallet/short')) throw error
      // It says what the fees would be, unless the wallet cannot even pay without them.
      const { needed } = error.facts
      return needed > value ? needed - value : undefined
    },
  )
  return { ...payer, to, price, maxFee: maxFee === undefined ? null : `${maxFee}` }
}

/** Nothing is signed for a quote, so the act itself is not simulated; its terms are those of the chain. */
async function quoteOrder(
  { chain, sender }: Parts,
  { price }: OrderAct,
  { readDollars }: Pick<Actor, 'readDollars'>,
): Promise<Quote> {
  const [payer, holding, maxFee] = await Promise.all([
    payerOf({ chain, sender }),
    readDollars(),
    sender.highestOrderFee(),
  ])
  if (holding === undefined) throw new Failure('dollar/missing', {})
  const { asset, balance } = holding
  return {
    ...payer,
    to: chain.pair.marketplace,
    price: '0',
    maxFee: `${maxFee}`,
    dollars: { asset, price: `${price}`, balance: `${balance}` },
  }
}

async function payerOf({
  chain: { client },
  sender: { address },
}: Parts): Promise<{ readonly from: Hex; readonly balance: string }> {
  return { from: account(address), balance: `${await client.getBalance({ address })}` }
}
