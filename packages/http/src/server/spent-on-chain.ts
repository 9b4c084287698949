import type { Hex } from '@heirloom/core'

/** A chain that answers JSON-RPC. */
export type RpcChain = {
  readonly request: (call: { method: string; params?: unknown }) => Promise<unknown>
}

/** The nonces of an account from the first to the one after the last. */
export type Nonces = { readonly known: number; readonly next: number }

/** The amount that an account paid on a day (UTC), in days since 1970 and in wei, without new contracts. */
export type SpentOnDay = {
  readonly day: number
  readonly spent: bigint
  /** The number of the transactions. */
  readonly writes: number
}

/** More than anybody has, in wei: the amount where nobody can tell how much it was. */
export const everything = 10n ** 30n

export type Block = {
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Transaction[]
}
type Transaction = {
  readonly hash: Hex
  readonly from: Hex
  /** `null` for the creation of a contract. */
  readonly to: Hex | null
  readonly nonce: Hex
  readonly value: Hex
}

/** Returns a block with its transactions; `undefined` if the chain has none of that number. */
export async function readBlock(chain: RpcChain, number: number): Promise<Block | undefined> {
  const params = [hexOf(number), true]
  const block = await chain.request({ method: 'eth_getBlockByNumber', params })
  return (block ?? undefined) as Block | undefined
}

const hexOf = (number: number): Hex => `0x${number.toString(16)}`

/** Returns the transactions that an account has in the newest block, or had in an earlier one. */
export async function countTransactions(
  { request }: RpcChain,
  address: Hex,
  at: number | 'latest' = 'latest',
): Promise<number> {
  const params = [address, at === 'latest' ? at : hexOf(at)]
  return Number(await request({ method: 'eth_getTransactionCount', params }))
}

const newestOf = async ({ request }: RpcChain): Promise<number> =>
  Number(await request({ method: 'eth_blockNumber' }))

/** Returns the number of contracts that an account created before it did anything else. */
export async function countFounding(chain: RpcChain, address: Hex): Promise<number> {
  for (let [number, founding] = [1, 0]; ; number++) {
    const own = ownIn(await readBlock(chain, number), address)
    if (own.length === 0 || own.some(isWrite)) return founding
    founding += own.length
  }
}

/** Only deploying creates contracts, and no budget pays for that. */
const isWrite = ({ to }: Transaction): boolean => (to ?? undefined) !== undefined

/**
 * Returns what the transactions of an account cost since a nonce on the day of the newest block, from
 * the blocks of that day: for a chain in this process.
 */
export async function spentInBlocks(
  chain: RpcChain,
  address: Hex,
  { known }: Pick<Nonces, 'known'>,
): Promise<SpentOnDay> {
  const newest = await newestOf(chain)
  const day = dayOf(await readBlock(chain, newest))
  const found: Transaction[] = []
  for (let number = newest; number > 0; number--) {
    const block = await readBlock(chain, number)
    const own = ownIn(block, address)
    if (dayOf(block) < day) break
    found.push(...own.filter(({ nonce }) => Number(nonce) >= known))
    if (own.some(({ nonce }) => Number(nonce) < known)) break
  }
  return { day, ...(await sumOf(chain, found)) }
}

/** Returns what writes among transactions cost, and how many they are. */
async function sumOf(
  chain: RpcChain,
  transactions: readonly Transaction[],
): Promise<Pick<SpentOnDay, 'spent' | 'writes'>> {
  const writes = transactions.filter(isWrite)
  let spent = 0n
  for (const write of writes) spent += await costOf(chain, write)
  return { spent, writes: writes.length }
}

const ownIn = (block: Block | undefined, address: Hex): readonly Transaction[] =>
  (block?.transactions ?? []).filter(({ from }) => from.toLowerCase() === address.toLowerCase())

const secondsPerDay = 86_400

const dayOf = (block: Pick<Block, 'timestamp'> | undefined): number =>
  Math.floor(Number(block?.timestamp ?? 0) / secondsPerDay)

async function costOf(chain: RpcChain, { hash, value }: Transaction): Promise<bigint> {
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const { gasUsed, effectiveGasPrice, status } = receipt as Readonly<Record<string, Hex>>
  const paid = status === '0x1' ? BigInt(value) : 0n
  return BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0) + paid
}

/** The most transactions that are looked up, each with some twenty requests. */
const mostLookedUp = 100

/**
 * The same by the number of transactions that the account had in earlier blocks, for a chain whose
 * blocks are too many to read. `everything` where that cannot be known, because a node has forgotten
 * that state, or the transactions are too many.
 */
export async function spentByNonces(
  chain: RpcChain,
  address: Hex,
  nonces: Nonces,
): Promise<SpentOnDay> {
  const newest = await newestOf(chain)
  const day = dayOf(await readHeader(chain, newest))
  const isToday = async (number: number) => dayOf(await readHeader(chain, number)) >= day
  const first = await lowestWhere(isToday, 0, newest)
  try {
    const before = first === 0 ? 0 : await countTransactions(chain, address, first - 1)
    const from = Math.max(nonces.known, before)
    if (nonces.next - from > mostLookedUp) return unknowable(day, nonces.next - from)
    const found: Transaction[] = []
    for (let [nonce, least] = [from, first]; nonce < nonces.next; nonce++) {
      const has = async (number: number) =>
        (await countTransactions(chain, address, number)) > nonce
      least = await lowestWhere(has, least, newest)
      found.push(await transactionOf(chain, address, { nonce, number: least }))
    }
    return { day, ...(await sumOf(chain, found)) }
  } catch {
    return unknowable(day, nonces.next - nonces.known)
  }
}

const unknowable = (day: number, writes: number): SpentOnDay => ({ day, spent: everything, writes })

/** Returns a block without its transactions. */
const readHeader = async ({ request }: RpcChain, number: number) =>
  (await request({ method: 'eth_getBlockByNumber', params: [hexOf(number), false] })) as Block

/** Returns the lowest number for which a claim holds that holds for `highest` and all between. */
async function lowestWhere(
  holds: (number: number) => Promise<boolean>,
  lowest: number,
  highest: number,
): Promise<number> {
  let [low, high] = [lowest, highest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

async function transactionOf(
  chain: RpcChain,
  address: Hex,
  { nonce, number }: { readonly nonce: number; readonly number: number },
): Promise<Transaction> {
  const own = ownIn(await readBlock(chain, number), address)
  const transaction = own.find((it) => Number(it.nonce) === nonce)
  if (transaction !== undefined) return transaction
  throw new Error(`Block ${number} has no transaction ${nonce} of ${address}.`)
}
