import { isFailure } from '@heirloom/core'
import { decodeErrorResult, type Hex, isHex } from 'viem'
import {
  memoryMarketplaceAbi as abi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import { causes } from '../../../../adapters/src/platform/error-words.ts'
import { Problem } from '../api/problem.ts'
import { type Currency, formatShortAmount } from '../text/amount.ts'
import { formatBps } from '../text/describe-royalties.ts'
import { formatExactTime } from '../text/moment.ts'
import { toWalletProblem } from '../wallet/to-wallet-problem.ts'

/**
 * Converts an error of the contracts, the chain or the wallet to a problem for a person; prices in it
 * are in the currency of the act.
 */
export function toChainProblem(error: unknown, currency: Currency): Problem {
  const chain = [...causes(error)]
  const known = chain.find((cause) => cause instanceof Problem)
  if (known !== undefined) return known
  const data = revertIn(error)
  const [sentence, remedy, code] = (data && contractRefusal(data, currency)) ?? []
  if (sentence !== undefined && remedy !== undefined) {
    return new Problem(sentence, remedy, { code, cause: error })
  }
  const failure = chain.find((cause) => isFailure(cause))
  if (failure === undefined || isFailure(failure, 'ledger/unavailable')) {
    // The error of the wallet or its node, of which the others are made.
    return toWalletProblem(chain.at(-1) ?? error)
  }
  return new Problem(failure.message, decideAgain, { code: failure.code, cause: error })
}

/** Finds the revert data; wallets wrap the chain's error a few levels deep. */
function revertIn(error: unknown, depth = 0): Hex | undefined {
  if (depth > 4 || typeof error !== 'object' || error === null) return undefined
  const members = error as Readonly<Record<string, unknown>>
  if (isHex(members.data) && members.data.length >= 10) return members.data
  for (const name of ['data', 'originalError', 'error', 'cause']) {
    const found = revertIn(members[name], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

type KnownProblem = readonly [sentence: string, remedy: string, code: string]

const lookElsewhere = 'Nothing was paid. Look for another offer.'
const decideAgain = 'Nothing was paid. Try again to see the current terms.'

function contractRefusal(data: Hex, currency: Currency): KnownProblem | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({
      abi: [...abi, ...memoryRegistryAbi],
      data,
    })
    const known = refusals[errorName]?.(args as readonly bigint[], currency)
    const other = [`The contracts refused (${errorName}).`, decideAgain] as const
    return [...(known ?? other), `contract/${errorName}`]
  } catch {
    return undefined
  }
}

type Describe = (
  args: readonly bigint[],
  currency: Currency,
) => readonly [sentence: string, remedy: string]

const gone = (way: string): Describe => {
  return ([tokenId]) => [`No. ${tokenId} is no longer listed ${way}.`, lookElsewhere]
}

/** Returns whether a problem is that a token is no longer offered. */
export const isGone = (problem: Problem | undefined): boolean =>
  /^contract\/ListingNotFor/.test(problem?.code ?? '')

const refusals: Readonly<Record<string, Describe>> = {
  ListingNotForSale: gone('for sale'),
  ListingNotForRent: gone('for rent'),
  ListingNotForFork: gone('for forks'),
  ListingPriceChanged: ([tokenId, price = 0n, offered = 0n], currency) => [
    `The price of No. ${tokenId} has changed: it is ${formatShortAmount(price, currency)}, and you agreed to ${formatShortAmount(offered, currency)}.`,
    decideAgain,
  ],
  ListingCurrencyChanged: ([tokenId]) => [
    `No. ${tokenId} is now priced in another currency than you agreed to.`,
    decideAgain,
  ],
  ListingRoyaltyChanged: ([tokenId, bps, accepted]) => [
    `Forks of No. ${tokenId} now owe ${formatBps(Number(bps))} in total, and you agreed to ${formatBps(Number(accepted))}.`,
    decideAgain,
  ],
  LineageTooDeep: ([tokenId, limit]) => [
    `No. ${tokenId} cannot be forked: its chain of ${limit} forks has the maximal length.`,
    'Nothing was paid. Fork one of its ancestors.',
  ],
  ListingNotOwner: ([tokenId]) => [
    `This wallet no longer owns No. ${tokenId}.`,
    'Nothing was changed. Connect the wallet that owns it.',
  ],
  ListingPriceTooHigh: ([, limit = 0n], currency) => [
    'A price is higher than a listing allows.',
    `Choose at most ${formatShortAmount(limit, currency)}.`,
  ],
  RentalTooLong: ([, , limit]) => [
    'The rental would end more than 365 days from now.',
    `Choose fewer days; the latest end is ${formatExactTime(Number(limit))}.`,
  ],
  OrderPaymentShort: () => [
    'Fewer dollars would arrive than the order costs.',
    'Nothing was paid. Tell the operator of this server.',
  ],
  OrderExpired: () => ['The time to pay this order is over.', decideAgain],
  OrderClosed: () => [
    'This order was carried out or refunded before.',
    'Nothing was paid now. Look at your memories before you pay again.',
  ],
  HeirInvalid: () => [
    'This account cannot be an heir.',
    'Nothing was changed. Choose another account than your own, and no contract of this market.',
  ],
  CallerNotHeir: () => [
    'This wallet is not the heir of that account.',
    'Nothing was changed. Connect the wallet that it has named.',
  ],
  AccountNotSilent: ([, silentAt]) => [
    'The account gave a sign of life too recently.',
    `Nothing was changed. You may announce from ${formatExactTime(Number(silentAt))}.`,
  ],
  TakeoverAlreadyAnnounced: ([, takeoverAt]) => [
    'The takeover is announced already.',
    `You may take over from ${formatExactTime(Number(takeoverAt))}.`,
  ],
  TakeoverNotAnnounced: () => [
    'The account gave a sign of life, which ended the takeover.',
    'Nothing was changed. Announce it again after another silence.',
  ],
  TakeoverTooEarly: ([, takeoverAt]) => [
    'The notice has not passed.',
    `Nothing was changed. You may take over from ${formatExactTime(Number(takeoverAt))}.`,
  ],
  ERC721IncorrectOwner: ([, tokenId]) => [
    `The account no longer owns No. ${tokenId}.`,
    'Nothing was changed. Close this and look at its memories again.',
  ],
  ERC721InvalidReceiver: () => [
    'The recipient cannot hold a token: it is a contract that does not accept any.',
    'Nothing was changed. Choose another account.',
  ],
  CreditEmpty: () => ['This wallet has no credit.', 'There is nothing to withdraw.'],
  RoyaltyZero: () => ['The royalty is zero.', 'Enter an amount above 0.'],
  TokenNotFound: ([tokenId]) => [
    `No. ${tokenId} does not exist on this chain.`,
    'Check that the wallet is on the chain of this server.',
  ],
}
