import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, toHex } from 'viem'

/** An event of a contract, still without a place. */
export type MadeUp = { readonly of: Hex; readonly topics: readonly Hex[]; readonly data?: Hex }

/** How many events a block holds. */
const perBlock = 50

/** Where the contracts of a made-up chain are. */
export const madeUpContracts = { registry: madeUpAddress(1), marketplace: madeUpAddress(2) }

/** Returns a chain in this process that has emitted some events, and takes none of them back. */
export function madeUpChain(events: readonly MadeUp[]) {
  const logs = events.map(placed)
  const last = Math.ceil(logs.length / perBlock)
  const answers: Readonly<Record<string, (params: readonly Asked[]) => unknown>> = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toHex(last),
    eth_getBlockByNumber: ([number]: readonly unknown[]) => ({
      ...{ number, hash: hashOf(Number(number)), parentHash: hashOf(Number(number) - 1) },
      timestamp: toHex(1_800_000_000 + Number(number)),
    }),
    eth_getLogs: ([{ fromBlock, toBlock } = {}]) =>
      logs.slice(Math.max(0, Number(fromBlock) - 1) * perBlock, Number(toBlock) * perBlock),
  }
  return {
    stateVersion: () => 1,
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) =>
      answers[method]?.(params as never),
  }
}

type Asked = { readonly fromBlock?: Hex; readonly toBlock?: Hex }

function placed({ of, topics, data = '0x' }: MadeUp, index: number): object {
  const block = 1 + Math.floor(index / perBlock)
  return {
    ...{ address: of, topics, data, blockNumber: toHex(block), blockHash: hashOf(block) },
    ...{ logIndex: toHex(index % perBlock), transactionHash: hashOf(index) },
    blockTimestamp: toHex(1_800_000_000 + block),
  }
}

export function madeUpAddress(number: number): Hex {
  return toHex(number, { size: 20 })
}

/** Returns a number as an argument of an event that is looked for. */
export function word(number: number): Hex {
  return toHex(number, { size: 32 })
}

/** Returns numbers as the other arguments of an event. */
export function words(...numbers: readonly (number | bigint)[]): Hex {
  const types = parseAbiParameters(numbers.map(() => 'uint256').join(','))
  return encodeAbiParameters(types, numbers.map(BigInt) as never)
}

const known = new Map<number, Hex>()

function hashOf(number: number): Hex {
  const hash = known.get(number) ?? keccak256(toHex(`block ${number}`))
  known.set(number, hash)
  return hash
}
