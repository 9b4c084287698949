import {
  account,
  type Currency,
  dollars,
  Failure,
  fromSeconds,
  hash,
  orderStates,
  tokenId,
  wei,
} from '@heirloom/core'
import {
  type AbiItem,
  type ContractErrorArgs,
  type ContractErrorName,
  decodeErrorResult,
  type Hex,
  isHex,
  toFunctionSelector,
} from 'viem'
import { formatAbiItem } from 'viem/utils'
import { causes } from '../platform/error-words.ts'
import { forwarderAbi, memoryMarketplaceAbi, memoryRegistryAbi } from './contracts.generated.ts'
import { longestDeadline } from './relay/gas-limit.ts'

const abi = [...memoryMarketplaceAbi, ...memoryRegistryAbi, ...forwarderAbi] as const
type ContractError = ContractErrorName<typeof abi>

/** The errors that no act can cause: those of approvals, and of internal functions. */
type Unreachable =
  | `ERC721${string}`
  | 'CallerNotMarketplace'
  | 'CardCountInvalid'
  | 'ERC2771ForwarderMismatchedValue'
  | 'ERC2771ForwarderNoRefundReceiver'
  | 'ERC2771UntrustfulTarget'
  | 'FailedDeployment'
  | 'InsufficientBalance'
  | 'InvalidAccountNonce'
  | 'InvalidShortString'
  | 'Reentered'
  | 'StringTooLong'
/** The errors of ERC-721 that a transfer can cause. */
type TransferError =
  `ERC721${'IncorrectOwner' | 'InsufficientApproval' | 'InvalidReceiver' | 'NonexistentToken'}`
type Reachable = Exclude<ContractError, Unreachable> | TransferError

type FailureOf = {
  readonly [name in Reachable]: (
    args: ContractErrorArgs<typeof abi, name>,
    currency: Currency,
  ) => Failure
}

const timeOf = (seconds: bigint) => fromSeconds(Number(seconds))

/** Returns the fact that amounts are in dollars; none when they are in wei. */
const unitOf = (currency: Currency) => (currency === 'native' ? {} : { currency })

const failureOf: FailureOf = {
  AccountNotSilent: ([of, silentAt]) =>
    new Failure('heir/not-silent', { account: account(of), silentAt: timeOf(silentAt) }),
  BatchSizeInvalid: ([size, limit]) =>
    new Failure('batch/bad-size', { size: Number(size), limit: Number(limit) }),
  CallerNotHeir: ([of, heir, caller]) =>
    new Failure('heir/not-heir', {
      account: account(of),
      heir: account(heir),
      caller: account(caller),
    }),
  ContentHashZero: () =>
    new Failure('value/invalid', { kind: 'content hash', problem: 'must not be zero' }),
  CreditEmpty: ([creditor]) => new Failure('credit/none', { account: account(creditor) }),
  DollarMissing: () => new Failure('dollar/missing', {}),
  ERC721IncorrectOwner: ([sender, id]) =>
    new Failure('token/not-owner', { tokenId: tokenId(id), account: account(sender) }),
  ERC721InsufficientApproval: ([operator, id]) =>
    new Failure('token/not-owner', { tokenId: tokenId(id), account: account(operator) }),
  ERC721InvalidReceiver: ([receiver]) =>
    new Failure('recipient/invalid', { recipient: account(receiver) }),
  ERC721NonexistentToken: ([id]) => new Failure('token/not-found', { tokenId: tokenId(id) }),
  HeirDelayInvalid: ([days, least, most]) =>
    new Failure('heir/bad-delay', {
      days: Number(days),
      least: Number(least),
      most: Number(most),
    }),
  HeirInvalid: ([heir]) => new Failure('heir/invalid', { heir: account(heir) }),
  ERC2771ForwarderExpiredRequest: ([deadline]) =>
    new Failure('relay/bad-deadline', { deadline, longest: longestDeadline }),
  ERC2771ForwarderInvalidSigner: ([, from]) =>
    new Failure('relay/not-signed', { account: account(from) }),
  GasTooLow: ([gasLeft, needed]) =>
    new Failure('transaction/gas-too-low', { gasLeft: Number(gasLeft), needed: Number(needed) }),
  FailedCall: () => new Failure('relay/failed', { reason: 'the state has changed' }),
  LineageTooDeep: ([id, limit]) =>
    new Failure('lineage/too-deep', { tokenId: tokenId(id), limit: Number(limit) }),
  ListingCurrencyChanged: ([id]) =>
    new Failure('listing/currency-changed', { tokenId: tokenId(id) }),
  ListingNotForFork: ([id]) => new Failure('listing/not-for-fork', { tokenId: tokenId(id) }),
  ListingNotForRent: ([id]) => new Failure('listing/not-for-rent', { tokenId: tokenId(id) }),
  ListingNotForSale: ([id]) => new Failure('listing/not-for-sale', { tokenId: tokenId(id) }),
  ListingNotOwner: ([id, owner, caller]) =>
    new Failure('listing/not-owner', {
      tokenId: tokenId(id),
      owner: account(owner),
      account: account(caller),
    }),
  ListingPriceChanged: ([id, price, offered], currency) =>
    new Failure('listing/price-changed', {
      tokenId: tokenId(id),
      price: wei(price),
      offered: wei(offered),
      ...unitOf(currency),
    }),
  ListingPriceTooHigh: ([price, limit], currency) =>
    new Failure('listing/price-too-high', {
      price: wei(price),
      limit: wei(limit),
      ...unitOf(currency),
    }),
  ListingRoyaltyChanged: ([id, royaltyBps, accepted]) =>
    new Failure('listing/royalty-changed', {
      tokenId: tokenId(id),
      royaltyBps: Number(royaltyBps),
      accepted: Number(accepted),
    }),
  OrderAssetInvalid: ([asset, dollar]) =>
    new Failure('order/foreign-asset', { asset: account(asset), dollar: account(dollar) }),
  OrderClosed: ([orderHash, state]) =>
    new Failure('order/closed', {
      orderHash: hash(orderHash),
      state: orderStates[state] ?? 'settled',
    }),
  OrderExpired: ([orderHash, deadline]) =>
    new Failure('order/expired', { orderHash: hash(orderHash), deadline: timeOf(deadline) }),
  OrderPaymentShort: ([orderHash, price, paid]) =>
    new Failure('order/short', {
      orderHash: hash(orderHash),
      price: dollars(price),
      paid: dollars(paid),
    }),
  OrderRefundFailed: ([orderHash, asset, amount]) =>
    new Failure('order/refund-failed', {
      orderHash: hash(orderHash),
      asset: account(asset),
      amount,
    }),
  OrderRefundTooEarly: ([orderHash, refundTo, caller]) =>
    new Failure('order/refund-too-early', {
      orderHash: hash(orderHash),
      refundTo: account(refundTo),
      account: account(caller),
    }),
  RecipientInvalid: ([recipient]) =>
    new Failure('recipient/invalid', { recipient: account(recipient) }),
  RentalDurationInvalid: ([days, limit]) =>
    new Failure('rental/bad-duration', { days: Number(days), limit: Number(limit) }),
  RentalTooLong: ([id, expiresAt, limit]) =>
    new Failure('rental/too-long', {
      tokenId: tokenId(id),
      expiresAt: fromSeconds(Number(expiresAt)),
      limit: fromSeconds(Number(limit)),
    }),
  RoyaltyShareTooHigh: ([royaltyBps, limit]) =>
    new Failure('royalty/bad-share', { royaltyBps: Number(royaltyBps), limit: Number(limit) }),
  RoyaltyZero: () => new Failure('royalty/zero', {}),
  TakeoverAlreadyAnnounced: ([of, takeoverAt]) =>
    new Failure('heir/already-announced', { account: account(of), takeoverAt: timeOf(takeoverAt) }),
  TakeoverNotAnnounced: ([of]) => new Failure('heir/not-announced', { account: account(of) }),
  TakeoverTooEarly: ([of, takeoverAt]) =>
    new Failure('heir/too-early', { account: account(of), takeoverAt: timeOf(takeoverAt) }),
  TokenNotFound: ([id]) => new Failure('token/not-found', { tokenId: tokenId(id) }),
}

/**
 * Returns the failure that the data of a revert names; `undefined` for any other error. The amounts of
 * a revert have no unit: `currency` is that of the call.
 */
export function failureOfRevert(
  error: unknown,
  currency: Currency = 'native',
): Failure | undefined {
  const data = revertData(error)
  if (data === undefined || data === '0x') return undefined
  const { errorName, args } = decode(data)
  const make = (failureOf as Readonly<Record<string, MakeFailure | undefined>>)[errorName]
  return make?.(args, currency)
}

type MakeFailure = (args: unknown, currency: Currency) => Failure
/** Returns the name of the contract error in the data of a revert; `undefined` if it names none. */
export function errorNameOf(error: unknown): string | undefined {
  const data = revertData(error)
  const { errorName } = decode(data ?? '0x')
  return errorName === 'unknown' ? undefined : errorName
}

let bySelector: ReadonlyMap<string, AbiItem> | undefined

/** Returns the error of a selector; they are hashed once, where viem hashes all of them at each revert. */
function errorOf(selector: string): AbiItem | undefined {
  bySelector ??= new Map(
    abi
      .filter((it) => it.type === 'error')
      .map((it) => [toFunctionSelector(formatAbiItem(it)), it]),
  )
  return bySelector.get(selector)
}

function decode(data: Hex): { readonly errorName: string; readonly args: unknown } {
  const error = errorOf(data.slice(0, 10))
  try {
    const { errorName, args } = decodeErrorResult({ abi: error === undefined ? [] : [error], data })
    return { errorName, args }
  } catch {
    return { errorName: 'unknown', args: [] }
  }
}

/** Returns the data of a revert, if there is any. Nodes put it at different depths, so every cause is searched. */
export function revertData(error: unknown): Hex | undefined {
  for (const cause of causes(error)) {
    const found = hexIn((cause as { data?: unknown }).data)
    if (found !== undefined) return found
  }
  return undefined
}

function hexIn(data: unknown): Hex | undefined {
  if (isHex(data)) return data
  return typeof data === 'object' && data !== null
    ? hexIn((data as { data?: unknown }).data)
    : undefined
}
