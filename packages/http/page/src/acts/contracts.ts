import { decodeErrorResult, decodeEventLog, encodeFunctionData, type Hex, isHex } from 'viem'
import {
  memoryMarketplaceAbi as abi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import { Problem } from '../api/problem.ts'
import { isSame } from '../text/account.ts'
import { shortEther } from '../text/ether.ts'
import { exactly } from '../text/moment.ts'
import { percentOfBps } from '../text/describe-split.ts'
import { walletProblem } from '../wallet/to-wallet-problem.ts'
import type { Act } from './act.ts'

/** Returns the call of the marketplace that does an act for an account. */
export function callOf(act: Act, account: Hex): Hex {
  switch (act.kind) {
    case 'buy':
      return encodeFunctionData({ abi, functionName: 'buy', args: [id(act), account] })
    case 'rent': {
      const args = [id(act), account, BigInt(act.days)] as const
      return encodeFunctionData({ abi, functionName: 'rent', args })
    }
    case 'fork': {
      const args = [id(act), account, BigInt(act.royaltyBps)] as const
      return encodeFunctionData({ abi, functionName: 'fork', args })
    }
    case 'list':
      return listing(act, act.terms)
    case 'take-down':
      return listing(act, nothing)
    case 'royalty':
      return encodeFunctionData({ abi, functionName: 'payRoyalty', args: [id(act)] })
    case 'withdraw':
      return encodeFunctionData({ abi, functionName: 'withdraw', args: [account] })
  }
}

type OfToken = { readonly tokenId: string }
type Terms = Extract<Act, { kind: 'list' }>['terms']

const id = ({ tokenId }: OfToken) => BigInt(tokenId)
const nothing: Terms = { price: '0', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

function listing(act: OfToken, terms: Terms): Hex {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const amounts = [BigInt(price), BigInt(rentalPricePerDay), BigInt(forkPrice)] as const
  const args = [id(act), ...amounts, BigInt(forkRoyaltyBps)] as const
  return encodeFunctionData({ abi, functionName: 'list', args })
}

/** A log as a receipt has it. */
export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

/** Returns the token that a fork made, from the logs of its receipt. */
export function childIn(logs: readonly Log[], marketplace: Hex): string | undefined {
  // Who is paid by a fork may be a contract, which can log whatever it likes.
  for (const { topics, data } of logs.filter(({ address }) => isSame(address, marketplace))) {
    try {
      const event = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data })
      if (event.eventName === 'Forked') return event.args.tokenId.toString()
    } catch {
      // Nothing that this page knows.
    }
  }
  return undefined
}

/** Returns what the contracts, the chain or the wallet refused, in words for a person. */
export function chainProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const data = revertIn(error)
  const [sentence, remedy, code] = (data && contractRefusal(data)) ?? []
  if (sentence === undefined || remedy === undefined) return walletProblem(error)
  return new Problem(sentence, remedy, { code, cause: error })
}

/** Wallets wrap what the chain returned into errors of their own, a few levels deep. */
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

type Told = readonly [sentence: string, remedy: string, code: string]

const lookAgain =
  'Nothing was paid. Close this, look at the terms as they are now, and decide again.'

function contractRefusal(data: Hex): Told | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({
      abi: [...abi, ...memoryRegistryAbi],
      data,
    })
    const known = refusals[errorName]?.(args as readonly bigint[])
    const other = [`The contracts refused (${errorName}).`, lookAgain] as const
    return [...(known ?? other), `contract/${errorName}`]
  } catch {
    return undefined
  }
}

type Words = (args: readonly bigint[]) => readonly [sentence: string, remedy: string]

const gone = (way: string): Words => {
  return ([tokenId]) => [`No. ${tokenId} is no longer offered ${way}.`, lookAgain]
}

const refusals: Readonly<Record<string, Words>> = {
  ListingNotForSale: gone('for sale'),
  ListingNotForRent: gone('for rent'),
  ListingNotForFork: gone('for forks'),
  ListingPriceChanged: ([tokenId, price = 0n, offered = 0n]) => [
    `The price of No. ${tokenId} changed meanwhile: it is ${shortEther(price)}, and you agreed to ${shortEther(offered)}.`,
    lookAgain,
  ],
  ListingRoyaltyChanged: ([tokenId, bps, accepted]) => [
    `Forks of No. ${tokenId} now owe ${percentOfBps(Number(bps))} in all, and you agreed to ${percentOfBps(Number(accepted))}.`,
    lookAgain,
  ],
  LineageTooDeep: ([tokenId, limit]) => [
    `No. ${tokenId} cannot be forked any more: ${limit} forks lead to it in a line.`,
    'Nothing was paid. Fork one that it came from.',
  ],
  ListingNotOwner: ([tokenId]) => [
    `No. ${tokenId} is not owned by this wallet any more.`,
    'Nothing was changed. Connect the wallet that owns it.',
  ],
  ListingPriceTooHigh: ([, limit = 0n]) => [
    'A price is higher than a listing can carry.',
    `Ask for at most ${shortEther(limit)}.`,
  ],
  RentalTooLong: ([, , limit]) => [
    'The rental would end more than 365 days from now.',
    `Choose fewer days; the latest end is ${exactly(Number(limit))}.`,
  ],
  CreditEmpty: () => ['Nothing waits for this wallet.', 'There is nothing to withdraw.'],
  RoyaltyZero: () => ['A royalty of nothing is no payment.', 'Enter an amount above 0.'],
  TokenNotFound: ([tokenId]) => [
    `No. ${tokenId} does not exist on this chain.`,
    'See that the wallet is on the chain of this server.',
  ],
}
