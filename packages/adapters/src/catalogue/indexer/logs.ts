import { type Abi, type AbiEvent, type Hex, parseAbi, toEventSelector } from 'viem'
import { contradictionAt } from './contradiction.ts'

/** The events of the contracts that the catalogue reads. */
export const eventAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Minted(uint256 indexed tokenId, address indexed creator, bytes32 indexed contentHash, bytes32 digest, uint256 parent, uint256 licence)',
  'event Described(uint256 indexed tokenId, bytes32 card)',
  'event Listed(uint256 indexed tokenId, address indexed seller, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)',
  'event Sold(uint256 indexed tokenId, address indexed seller, address indexed buyer, address recipient, uint256 price)',
  'event Rented(uint256 indexed tokenId, address owner, address indexed renter, address indexed payer, uint256 expiresAt, uint256 paid)',
  'event Forked(uint256 indexed parent, uint256 indexed tokenId, address indexed forker, address recipient, uint256 royaltyBps, uint256 price)',
  'event RoyaltyPaid(uint256 indexed tokenId, address indexed to, address indexed from, uint256 amount)',
  'event ListedInDollars(uint256 indexed tokenId, address indexed seller, address indexed asset, uint256 price, uint256 rentPerDay, uint256 forkPrice, uint256 royaltyBps)',
  'event SoldForDollars(uint256 indexed tokenId, address indexed seller, address indexed recipient, address payer, uint256 price, address asset, bytes32 orderHash)',
  'event RentedForDollars(uint256 indexed tokenId, address indexed renter, address owner, address payer, uint256 expiresAt, uint256 paid, address asset, bytes32 orderHash)',
  'event ForkedForDollars(uint256 indexed parent, uint256 indexed tokenId, address indexed recipient, address payer, uint256 royaltyBps, uint256 price, address asset, bytes32 orderHash)',
  'event RoyaltyPaidInDollars(uint256 indexed tokenId, address indexed to, address indexed from, uint256 amount, address asset, bytes32 orderHash)',
  'event HeirNamed(address indexed account, address indexed heir, uint256 silenceDays, uint256 noticeDays)',
  'event Heartbeat(address indexed account)',
  'event TakeoverAnnounced(address indexed account, address indexed heir, uint256 takeoverAt)',
  'event TakenOver(address indexed account, address indexed heir, uint256[] tokenIds)',
  'event Credited(address indexed to, uint256 amount)',
  'event Withdrawn(address indexed account, address indexed to, uint256 amount)',
  'event DollarsCredited(address indexed to, address indexed asset, uint256 amount)',
  'event DollarsWithdrawn(address indexed account, address indexed to, address indexed asset, uint256 amount)',
  'event CreditTakenOver(address indexed account, address indexed heir, uint256 amount, uint256 dollars)',
])

/** An event as a node returns it. */
export type RpcLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
  /** The time of its block, which only some nodes include. */
  readonly blockTimestamp?: Hex | undefined
}

/** An event and its position on the chain. */
export type Log = {
  readonly name: string
  /** Its arguments by their names, each 64 hexadecimal digits. */
  readonly words: Readonly<Record<string, string>>
  readonly block: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly txHash: Hex
  /** The time of its block in seconds, when the node includes it. */
  readonly at: number | undefined
}

/** The argument names of an event: those in its topics, and those in its data. */
type EventLayout = {
  readonly name: string
  readonly indexed: readonly string[]
  readonly rest: readonly string[]
}

const layouts: ReadonlyMap<string, EventLayout> = new Map(
  (eventAbi as Abi)
    .filter((item): item is AbiEvent => item.type === 'event')
    .map((event) => {
      const named = (indexed: boolean) =>
        event.inputs.filter((it) => (it.indexed ?? false) === indexed).map(({ name = '' }) => name)
      return [
        toEventSelector(event),
        { name: event.name, indexed: named(true), rest: named(false) },
      ] as const
    }),
)

/** Returns whether a number can be the time of a block behind the first, in seconds. */
export const isTime = (at: number): boolean => at > 0 && Number.isSafeInteger(1000 * at)

/**
 * Decodes the events of the contracts among some logs, in the order of the chain.
 *
 * @throws `Contradiction` for an event that lacks arguments
 */
export function decodeLogs(logs: readonly RpcLog[]): readonly Log[] {
  const decoded = logs.flatMap((log) => {
    const layout = layouts.get(log.topics[0] ?? '')
    return layout === undefined ? [] : [decodeLog(log, layout)]
  })
  return decoded.sort((one, other) => one.block - other.block || one.logIndex - other.logIndex)
}

// Every argument that is read has a static type, so it is one word of 32 bytes at a known offset.
function decodeLog(log: RpcLog, { name, indexed, rest }: EventLayout): Log {
  if (log.topics.length <= indexed.length || log.data.length < 2 + 64 * rest.length) {
    throw contradictionAt(
      Number(log.blockNumber),
      `The node left out arguments of a ${name} event.`,
    )
  }
  const words: Record<string, string> = {}
  for (const [index, key] of indexed.entries()) words[key] = log.topics[index + 1]?.slice(2) ?? ''
  for (const [index, key] of rest.entries()) {
    words[key] = log.data.slice(2 + 64 * index, 66 + 64 * index)
  }
  return {
    name,
    words,
    block: Number(log.blockNumber),
    blockHash: log.blockHash,
    logIndex: Number(log.logIndex),
    txHash: log.transactionHash,
    at: isTime(Number(log.blockTimestamp)) ? Number(log.blockTimestamp) : undefined,
  }
}
