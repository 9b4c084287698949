import { type Hex, hexToBytes, type TransactionReceipt } from 'viem'
import { batchSize } from './meter.ts'

/** The most gas that each operation may use. */
export const ceilings = {
  mint: 106_000,
  'mintBatch(100), per token': 74_000,
  list: 58_000,
  'buy, first sale': 98_000,
  'buy, resale': 70_000,
  rent: 72_000,
  renew: 55_000,
  fork: 92_000,
  royalty: 42_000,
} as const

/** An operation with a ceiling. */
export type Operation = keyof typeof ceilings

/** The gas that the chain charges, independent of the contract. */
export const charges = {
  transaction: 21_000,
  zeroByte: 4,
  byte: 16,
  /** The floor price of a byte of calldata (EIP-7623), for both kinds of bytes. */
  leastZeroByte: 10,
  leastByte: 40,
  /** 20,000 to write and 2,100 because it was not touched before. */
  createdWord: 22_100,
  /** 2,900 to write and 2,100 because it was not touched before. */
  changedWord: 5_000,
  readWord: 2_100,
  account: 2_600,
  /** 9,000 less the stipend of 2,300, which the receiver does not use. */
  transfer: 6_700,
  log: 375,
  topic: 375,
  logByte: 8,
  clearedWordRefund: 4_800,
} as const

/** The state that an operation must touch; logs and calldata come from its transaction. */
export type Touches = {
  readonly created?: readonly string[]
  readonly changed?: readonly string[]
  readonly cleared?: readonly string[]
  readonly read?: readonly string[]
  /** The accounts besides the one to which the transaction is sent. */
  readonly called?: readonly string[]
  readonly paid?: readonly string[]
  /** The number of tokens in the transaction, each with words of its own to create. */
  readonly tokens?: number
}

const holder = ['origin', 'holding']
const content = ['contentHash', 'digest', 'origin']

/** The state that each operation touches when every participant already owns a token. */
export const touches: Readonly<Record<Operation, Touches>> = {
  mint: { created: content, changed: ['supply', 'balance of the owner'] },
  'mintBatch(100), per token': {
    created: content,
    changed: ['supply', 'balance of the owner'],
    tokens: batchSize,
  },
  list: { created: ['terms'], read: holder, called: ['registry'] },
  'buy, first sale': {
    created: ['holding'],
    changed: ['balance of the seller', 'balance of the buyer'],
    cleared: ['terms'],
    read: ['origin'],
    called: ['registry'],
    paid: ['seller'],
  },
  'buy, resale': {
    changed: ['holding', 'balance of the seller', 'balance of the buyer'],
    cleared: ['terms'],
    read: ['origin'],
    called: ['registry'],
    paid: ['seller'],
  },
  rent: {
    created: ['expiry'],
    read: ['terms', ...holder],
    called: ['registry'],
    paid: ['owner'],
  },
  renew: {
    changed: ['expiry'],
    read: ['terms', ...holder],
    called: ['registry'],
    paid: ['owner'],
  },
  fork: {
    created: ['origin of the fork'],
    changed: ['supply', 'balance of the forker'],
    read: ['terms', ...holder, 'contentHash', 'digest'],
    called: ['registry'],
    paid: ['owner'],
  },
  royalty: { read: ['origin'], called: ['registry'], paid: ['creator'] },
}

/** Returns the gas of a transaction that touches this state and computes nothing. */
export function floorOf(touched: Touches, input: Hex, { logs }: TransactionReceipt): number {
  const { zeroByte, byte, leastZeroByte, leastByte, transaction } = charges
  const spent = priceOf(input, zeroByte, byte) + stateOf(touched) + logsOf(logs)
  return transaction + Math.max(spent, priceOf(input, leastZeroByte, leastByte))
}

function priceOf(input: Hex, zeroByte: number, byte: number): number {
  return hexToBytes(input).reduce((sum, value) => sum + (value === 0 ? zeroByte : byte), 0)
}

function stateOf({ tokens = 1, ...touched }: Touches): number {
  const count = (names: readonly string[] = []) => names.length
  const { created, changed, cleared, read, called, paid } = touched
  return (
    count(created) * tokens * charges.createdWord +
    (count(changed) + count(cleared)) * charges.changedWord +
    count(read) * charges.readWord +
    (count(called) + count(paid)) * charges.account +
    count(paid) * charges.transfer -
    count(cleared) * charges.clearedWordRefund
  )
}

function logsOf(logs: TransactionReceipt['logs']): number {
  const { log, topic, logByte } = charges
  return logs.reduce(
    (sum, { topics, data }) =>
      sum + log + topic * topics.length + logByte * hexToBytes(data).length,
    0,
  )
}
