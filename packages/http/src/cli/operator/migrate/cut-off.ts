import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import {
  type PairReader,
  pairReader,
  type RecordedToken,
} from '@heirloom/adapters/internal/migration'
import { testAccounts } from '@heirloom/adapters/internal/platform'
import {
  type Account,
  type Failure,
  fromSeconds,
  isFailure,
  type MigratingToken,
  type RunningRental,
  type StayReason,
} from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { CutOff } from '../../../server/migration-journal.ts'
import { openMemory } from './reseal-memory.ts'
import type { OpenSide, Side } from './side.ts'

/** The tokens of a registry at a cut-off, and the rentals that cannot be carried over. */
export type CutOffState = {
  readonly cutOff: CutOff
  readonly tokens: readonly MigratingToken[]
  readonly lostRentals: number
}

export declare namespace readCutOff {
  type Input = {
    readonly from: OpenSide
    readonly client: PublicClient
    readonly catalogue: Pick<SqlCatalogue, 'rentals' | 'caughtUp'>
    readonly to: Pick<Side, 'registry' | 'chain'>
  }
}

/** The most rentals of one token that are read. */
const mostRentals = 10_000

/**
 * Reads every token of the old registry as it is in one block, and opens its memory, so that a plan
 * promises only what can be done. The chain decides; the catalogue only names the renters.
 *
 * @throws `ledger/unavailable`, `catalogue/unavailable`, `blob/unavailable`
 */
export async function readCutOff(input: readCutOff.Input): Promise<CutOffState> {
  const { from, client, catalogue } = input
  const cutOff = await chooseBlock(client, from.config.confirmations)
  await catalogue.caughtUp()
  const reader = pairReader(client, from.chain.contracts, cutOff.block)
  const rules = rulesFor(input, reader)
  const tokens: MigratingToken[] = []
  let lostRentals = 0
  for (const token of await reader.tokens()) {
    const running = await catalogue.rentals(token.tokenId, fromSeconds(cutOff.at), mostRentals)
    const rentals = await rentalsOf({ token, reader, cutOff }, running)
    const carried = await filterAsync(rentals, async ({ renter }) => rules.mayHold(renter))
    lostRentals += rentals.length - carried.length
    const terms = await reader.listing(token.tokenId)
    tokens.push({ ...token, rentals: carried, terms, obstacle: await rules.obstacleOf(token) })
  }
  return { cutOff, tokens, lostRentals }
}

async function chooseBlock(client: PublicClient, confirmations: number): Promise<CutOff> {
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const blockNumber = head - BigInt(confirmations) + 1n
  const block = await client.getBlock({ blockNumber: blockNumber > 0n ? blockNumber : 0n })
  return { block: block.number, hash: block.hash, at: Number(block.timestamp) }
}

type AtCutOff = {
  readonly token: RecordedToken
  readonly reader: PairReader
  readonly cutOff: CutOff
}

async function rentalsOf(
  { token: { tokenId }, reader, cutOff }: AtCutOff,
  renters: readonly { readonly renter: Account }[],
): Promise<readonly RunningRental[]> {
  const found: RunningRental[] = []
  for (const { renter } of renters) {
    const end = await reader.rentalEnd(tokenId, renter)
    if (end > cutOff.at) found.push({ renter, expiresAt: fromSeconds(end) })
  }
  return found
}

/** Decides who may hold a token in the other registry, and what keeps a token from going there. */
type Rules = {
  readonly mayHold: (account: Account) => Promise<boolean>
  readonly obstacleOf: (token: RecordedToken) => Promise<StayReason | undefined>
}

function rulesFor({ from, to }: readCutOff.Input, reader: PairReader): Rules {
  const isOtherChain = from.chain.chainId !== to.chain.chainId
  const { registry, marketplace, forwarder } = to.chain.contracts
  const isContractOfPair = isAmong([registry, marketplace, forwarder])
  const isPublic = (account: Account) => to.chain.chainId !== testChain && isTestAccount(account)
  const whyNot = async (account: Account): Promise<StayReason | undefined> => {
    if (isContractOfPair(account)) return 'owner-is-contracts'
    if (isPublic(account)) return 'key-is-public'
    return isOtherChain && (await reader.isContract(account)) ? 'owner-is-contract' : undefined
  }
  return {
    mayHold: async (account) => (await whyNot(account)) === undefined,
    obstacleOf: async (token) => {
      const { owner, creator, royaltyBps } = token
      // A licensed fork shows the memory of its source.
      const unread = royaltyBps === undefined ? await whyUnread(from, token) : undefined
      return unread ?? (isPublic(creator) ? 'key-is-public' : whyNot(owner))
    },
  }
}

async function whyUnread(from: OpenSide, token: RecordedToken): Promise<StayReason | undefined> {
  try {
    await openMemory(from, token)
    return undefined
  } catch (error) {
    if (isFailure(error, 'access/copied')) return 'copied'
    if (isFailure(error) && isUnreadable(error)) return 'unreadable'
    throw error
  }
}

const isUnreadable = ({ code }: Failure): boolean =>
  [
    'bundle/unreadable',
    'bundle/altered',
    'blob/not-found',
    'blob/corrupt',
    'memory/erased',
  ].includes(code)

/** The id of local test chains, where the keys of the test accounts may own what they like. */
const testChain = 31337

const isAmong = (addresses: readonly string[]) => {
  const known = new Set(addresses.map((it) => it.toLowerCase()))
  return (account: string): boolean => known.has(account.toLowerCase())
}

/** Returns whether the private key of an account is public. */
export const isTestAccount = isAmong(testAccounts)

async function filterAsync<T>(
  items: readonly T[],
  test: (item: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const carried: T[] = []
  for (const item of items) if (await test(item)) carried.push(item)
  return carried
}
