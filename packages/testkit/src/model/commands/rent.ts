import assert from 'node:assert/strict'
import { day, type Instant } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryDays } from '../../arbitraries/values.ts'
import type { ServiceHarness } from '../../harness.ts'
import {
  idOf,
  isShort,
  type Model,
  type ModelToken,
  offerOf,
  settle,
  tokenOf,
  type Who,
} from '../model.ts'
import {
  arbitraryLimit,
  arbitraryPick,
  arbitraryRecipient,
  arbitraryWho,
  limitInput,
} from '../picks.ts'
import {
  agree,
  avoidRentalEnds,
  command,
  type Drawn,
  drift,
  firstOf,
  type Recipient,
  receiverOf,
  recipientInput,
  serviceOf,
} from '../step.ts'

/** The latest end of a rental from now. */
export const farthest = 365 * day

const days = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 4, arbitrary: arbitraryDays },
  { weight: 1, arbitrary: fc.constantFrom(0, 366, 10_000) },
)
const payment = { who: arbitraryWho, pick: arbitraryPick, days, limit: arbitraryLimit }

type Input = Drawn<typeof payment> & {
  /** The renter; `guest` is a party that rented the token before. */
  readonly recipient: Recipient | 'guest'
}

/** Rents a token for any recipient. */
export const rentCommand = command('rent', { ...payment, recipient: arbitraryRecipient }, run)

/** Renews a rental, or rents again after its end. */
const guest = fc.constant('guest' as const)
export const renewCommand = command('rent', { ...payment, recipient: guest }, run)

function run(model: Model, harness: ServiceHarness, { pick, ...input }: Input) {
  const tokenId = idOf(model, pick, (token) => isRentable(token, input.recipient))
  return runRent(model, harness, { tokenId, ...input })
}

type Rental = Omit<Input, 'pick'> & { readonly tokenId: ModelToken['id'] }

/** Rents a token in the model and the harness, and returns it. */
export async function runRent(
  model: Model,
  harness: ServiceHarness,
  { who, tokenId, days, limit, ...input }: Rental,
) {
  const token = tokenOf(model, tokenId)
  const recipient = input.recipient === 'guest' ? guestOf(token) : input.recipient
  const guest = receiverOf(recipient, who)
  const running = token?.rentals.get(guest)
  await avoidUncertainty(model, harness, running, days)
  const { amount, isInDollars } = offerOf(token, 'rentalPricePerDay')
  const price = amount * BigInt(days)
  const end = endOf(harness, running, days)
  const predicted = firstOf(
    [days < 1 || days > 365, 'rental/bad-duration'],
    [token === undefined, 'token/not-found'],
    [price === 0n, 'listing/not-for-rent'],
    [isInDollars, 'listing/currency-changed'],
    [limit === 'less', 'listing/over-max-price'],
    [isShort(model, who, price), 'wallet/short'],
    [recipient === 'nobody', 'recipient/invalid'],
    [end > harness.now() + farthest + drift, 'rental/too-long'],
  )
  const sums = { ...recipientInput(harness, recipient), ...limitInput(limit, price) }
  const verb = recipient === 'nobody' || running === undefined ? 'rent' : 'renew'
  const call = serviceOf(harness, who).rent({ tokenId, days, ...sums })
  const rented = await agree(model, verb, predicted, call)
  if (rented && token) {
    assert.ok(Math.abs(rented.expiresAt - end) <= drift, `${verb} lasts as long as paid for`)
    settle(model, who, token, price)
    token.rentals.set(guest, rented.expiresAt)
  }
  return token
}

function isRentable({ terms, rentals }: ModelToken, recipient: Input['recipient']): boolean {
  return (terms?.rentalPricePerDay ?? 0n) > 0n && (recipient !== 'guest' || rentals.size > 0)
}

function guestOf(token: ModelToken | undefined): Who | undefined {
  return token?.rentals.keys().next().value
}

/** Waits until neither a rental nor a renewal ends so near to a limit that seconds decide. */
export async function avoidUncertainty(
  model: Model,
  harness: ServiceHarness,
  running: Instant | undefined,
  days: number,
): Promise<void> {
  await avoidRentalEnds(model, harness)
  while (isUncertain(harness, running, days)) {
    await harness.wait(2 * drift)
    await avoidRentalEnds(model, harness)
  }
}

/** Returns when a rental of some days ends, made or renewed now. */
export function endOf(harness: ServiceHarness, running: Instant | undefined, days: number): number {
  return Math.max(running ?? 0, harness.now()) + days * day
}

/** Returns whether a renewal ends so near to its limit that the outcome depends on seconds. */
function isUncertain(harness: ServiceHarness, running: Instant | undefined, days: number): boolean {
  if (running === undefined || running <= harness.now()) return false
  return Math.abs(endOf(harness, running, days) - harness.now() - farthest) <= drift
}
