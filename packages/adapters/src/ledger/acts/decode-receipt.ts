import {
  decodeFunctionData,
  getAddress,
  type Hex,
  type Log,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { encodeMint, type MintItem } from '../nonce-lane/job.ts'

/** The effects of a transaction that its events report. */
export type ActResult = {
  /** The tokens that it minted, by a snapshot or by a fork. */
  readonly tokenIds: readonly bigint[]
  /** The end of the rental, in seconds since the Unix epoch. */
  readonly expiresAt: bigint | undefined
  /** The credit that was withdrawn, in the currency of the act. */
  readonly withdrawn: bigint | undefined
  /** The time from which an heir may take over after an announcement, in seconds since 1970. */
  readonly takeoverAt: bigint | undefined
  /** The credit that an heir took over. */
  readonly creditTakenOver: TakenCredit | undefined
}

/** A credit in wei, and in the smallest unit of the dollar. */
type TakenCredit = { readonly amount: bigint; readonly dollars: bigint }

/** Returns the effects of a transaction on a contract pair. */
export function decodeReceipt(
  { registry, marketplace }: ContractPair,
  { logs }: Pick<TransactionReceipt, 'logs'>,
): ActResult {
  // A payee may be a contract, which can emit any event under its own address.
  const logsOf = (address: string) => logs.filter((it: Log) => getAddress(it.address) === address)
  const inRegistry = { abi: memoryRegistryAbi, logs: logsOf(getAddress(registry)) } as const
  const minted = parseEventLogs({ ...inRegistry, eventName: 'Minted' })
  const announced = parseEventLogs({ ...inRegistry, eventName: 'TakeoverAnnounced' })
  const inMarket = { abi: memoryMarketplaceAbi, logs: logsOf(getAddress(marketplace)) } as const
  const forked = parseEventLogs({ ...inMarket, eventName: 'Forked' })
  const rented = parseEventLogs({ ...inMarket, eventName: 'Rented' })
  const rentedForDollars = parseEventLogs({ ...inMarket, eventName: 'RentedForDollars' })
  const withdrawn = parseEventLogs({ ...inMarket, eventName: 'Withdrawn' })
  const withdrawnDollars = parseEventLogs({ ...inMarket, eventName: 'DollarsWithdrawn' })
  const credits = parseEventLogs({ ...inMarket, eventName: 'CreditTakenOver' })
  return {
    tokenIds: [...minted, ...forked].map(({ args }) => args.tokenId),
    expiresAt: [...rented, ...rentedForDollars][0]?.args.expiresAt,
    withdrawn: [...withdrawn, ...withdrawnDollars][0]?.args.amount,
    takeoverAt: announced[0]?.args.takeoverAt,
    creditTakenOver: credits[0]?.args,
  }
}

const noCard: Hex = `0x${'0'.repeat(64)}`

/**
 * Decodes call data of the registry that mints exactly one token. Returns `undefined` for any other
 * call, and for one with bytes that do not belong to it.
 */
export function decodeMint(data: Hex): MintItem | undefined {
  const item = itemIn(data)
  return item !== undefined && encodeMint(item) === data.toLowerCase() ? item : undefined
}

function itemIn(data: Hex): MintItem | undefined {
  const call = decode(data)
  if (call?.functionName === 'mint') {
    const [recipient, contentHash, digest, parent] = call.args
    return { recipient, contentHash, digest, parent }
  }
  if (call?.functionName !== 'mintDescribed') return undefined
  const [[item, ...others], [card = noCard]] = call.args
  return item === undefined || others.length > 0 ? undefined : { ...item, card }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: memoryRegistryAbi, data })
  } catch {
    return undefined
  }
}
