import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, toHex } from 'viem'

/** An event of a contract, without its position on the chain. */
export type SyntheticEvent = {
  readonly of: Hex
  readonly topics: readonly Hex[]
  readonly data?: Hex
}

/** The number of events in a block. */
const perBlock = 50

/** The addresses of the contracts on a synthetic chain. */
export const syntheticContracts = {
  registry: syntheticAddress(1),
  marketplace: syntheticAddress(2),
}

/** Creates a chain in this process with given events and without reorganisations. */
export function syntheticChain(events: readonly SyntheticEvent[]) {
  const logs = events.map(logOf)
  const last = Math.ceil(logs.length / perBlock)
  const methods: Readonly<Record<string, (params: readonly LogFilter[]) => unknown>> = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toHex(last),
    eth_getBlockByNumber: ([number]: readonly unknown[]) => ({
      number,
      hash: hashOf(Number(number)),
      parentHash: hashOf(Number(number) - 1),
      timestamp: toHex(1_800_000_000 + Number(number)),
    }),
    eth_getLogs: ([{ fromBlock, toBlock } = {}]) =>
      logs.slice(Math.max(0, Number(fromBlock) - 1) * perBlock, Number(toBlock) * perBlock),
  }
  return {
    stateVersion: () => 1,
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
      methods[method]?.(params as never),
  }
}

type LogFilter = { readonly fromBlock?: Hex; readonly toBlock?: Hex }

function logOf({ of, topics, data = '0x' }: SyntheticEvent, index: number): object {
  const block = 1 + Math.floor(index / perBlock)
  return {
    address: of,
    topics,
    data,
    blockNumber: toHex(block),
    blockHash: hashOf(block),
    logIndex: toHex(index % perBlock),
    transactionHash: hashOf(index),
    blockTimestamp: toHex(1_800_000_000 + block),
  }
}

export function syntheticAddress(number: number): Hex {
  return toHex(number, { size: 20 })
}

/** Encodes a number as an indexed argument of an event. */
export function word(number: number): Hex {
  return toHex(number, { size: 32 })
}

/** Encodes numbers as the data of an event. */
export function words(...numbers: readonly (number | bigint)[]): Hex {
  const types = parseAbiParameters(numbers.map(() => 'uint256').join(','))
  return encodeAbiParameters(types, numbers.map(BigInt) as never)
}

const hashes = new Map<number, Hex>()

function hashOf(number: number): Hex {
  const hash = hashes.get(number) ?? keccak256(toHex(`block ${number}`))
  hashes.set(number, hash)
  return hash
}
