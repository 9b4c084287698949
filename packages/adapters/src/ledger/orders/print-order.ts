import { type Account, type Hex, orderActs } from '@heirloom/core'

/** An order as the contracts take it. */
type Order = Readonly<
  Record<'tokenId' | 'price' | 'numberOfDays' | 'maxRoyaltyBps' | 'deadline', bigint> &
    Record<'asset' | 'recipient' | 'refundTo', Account>
> & {
  /** The index of the act in `orderActs`. */
  readonly act: number
  readonly salt: Hex
}

/** The payment of an order by a signed transfer (EIP-3009). */
type Payment = {
  readonly order: Order
  readonly payer: Account
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
}

/** Returns an order as JSON has it: what `POST /api/relay` takes. */
export function printOrder({ act, asset, recipient, refundTo, salt, ...numbers }: Order) {
  return {
    act: orderActs[act] ?? 'buy',
    asset,
    recipient,
    refundTo,
    salt,
    tokenId: `${numbers.tokenId}`,
    price: `${numbers.price}`,
    numberOfDays: `${numbers.numberOfDays}`,
    maxRoyaltyBps: `${numbers.maxRoyaltyBps}`,
    deadline: `${numbers.deadline}`,
  }
}

/** Returns an order and its payment as JSON has it: what `POST /api/relay` takes as `payOrder`. */
export const printPayment = ({ order, payer, validAfter, validBefore, signature }: Payment) => ({
  order: printOrder(order),
  payer,
  signature,
  validAfter: `${validAfter}`,
  validBefore: `${validBefore}`,
})
