import { decodeErrorResult, encodeFunctionData, type Hex, isHex } from 'viem'
import {
  memoryMarketplaceAbi as abi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import { Problem } from '../api/problem.ts'
import { formatBps } from '../text/describe-split.ts'
import { formatShortEther } from '../text/ether.ts'
import { formatExactTime } from '../text/moment.ts'
import { toWalletProblem } from '../wallet/to-wallet-problem.ts'
import type { Act } from './act.ts'
import { encodeMint } from './encode-mint.ts'

/** Encodes the call of an act of an account: of the registry for a mint, else of the marketplace. */
export function encodeAct(act: Act, account: Hex): Hex {
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
    case 'mint':
      return encodeMint(act.seal)
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

/** Converts an error of the contracts, the chain or the wallet to a problem for a person. */
export function toChainProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const data = revertIn(error)
  const [sentence, remedy, code] = (data && contractRefusal(data)) ?? []
  if (sentence === undefined || remedy === undefined) return toWalletProblem(error)
  return new Problem(sentence, remedy, { code, cause: error })
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

function contractRefusal(data: Hex): KnownProblem | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({
      abi: [...abi, ...memoryRegistryAbi],
      data,
    })
    const known = refusals[errorName]?.(args as readonly bigint[])
    const other = [`The contracts refused (${errorName}).`, decideAgain] as const
    return [...(known ?? other), `contract/${errorName}`]
  } catch {
    return undefined
  }
}

type Describe = (args: readonly bigint[]) => readonly [sentence: string, remedy: string]

const gone = (way: string): Describe => {
  return ([tokenId]) => [`No. ${tokenId} is no longer listed ${way}.`, lookElsewhere]
}

const refusals: Readonly<Record<string, Describe>> = {
  ListingNotForSale: gone('for sale'),
  ListingNotForRent: gone('for rent'),
  ListingNotForFork: gone('for forks'),
  ListingPriceChanged: ([tokenId, price = 0n, offered = 0n]) => [
    `The price of No. ${tokenId} has changed: it is ${formatShortEther(price)}, and you agreed to ${formatShortEther(offered)}.`,
    decideAgain,
  ],
  ListingCurrencyChanged: ([tokenId]) => [
    `No. ${tokenId} is now priced in another currency than you agreed to.`,
    lookElsewhere,
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
  ListingPriceTooHigh: ([, limit = 0n]) => [
    'A price is higher than a listing allows.',
    `Choose at most ${formatShortEther(limit)}.`,
  ],
  RentalTooLong: ([, , limit]) => [
    'The rental would end more than 365 days from now.',
    `Choose fewer days; the latest end is ${formatExactTime(Number(limit))}.`,
  ],
  CreditEmpty: () => ['This wallet has no credit.', 'There is nothing to withdraw.'],
  RoyaltyZero: () => ['The royalty is zero.', 'Enter an amount above 0.'],
  TokenNotFound: ([tokenId]) => [
    `No. ${tokenId} does not exist on this chain.`,
    'Check that the wallet is on the chain of this server.',
  ],
}
