import { parseEventLogs, zeroAddress } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import type { ContractHarness } from '../contract-harness.ts'

type Token = {
  record: readonly unknown[]
  owner: string
  transferCount: bigint
  listing: readonly unknown[]
  readonly rentals: Map<string, bigint>
  /** The digest of its card; absent without a card. */
  card?: string
}

const unlisted = [zeroAddress, 0n, 0n, 0n, 0n]
const abi = [...memoryRegistryAbi, ...memoryMarketplaceAbi]

/** Returns the state that follows from all events since the beginning, and nothing else. */
export async function eventIndexOf({ client, registry, marketplace }: ContractHarness) {
  const address = [registry.address, marketplace.address]
  const events = parseEventLogs({ abi, logs: await client.getLogs({ address, fromBlock: 0n }) })
  const tokens = new Map<bigint, Token>()
  const credits = new Map<string, bigint>()
  for (const event of events) read(event, tokens, credits)
  return { tokens, credits, names: new Set(events.map(({ eventName }) => eventName)) }
}

type Event = ReturnType<typeof parseEventLogs<typeof abi>>[number]

function read(event: Event, tokens: Map<bigint, Token>, credits: Map<string, bigint>): void {
  if (event.eventName === 'Transfer') readTransfer(event.args, tokens)
  else if (event.eventName === 'Credited') {
    const { to, amount } = event.args
    credits.set(to, (credits.get(to) ?? 0n) + amount)
  } else if (event.eventName === 'Withdrawn') credits.set(event.args.account, 0n)
  else readTerms(event, tokens)
}

function readTransfer(
  { from, to, tokenId }: { from: string; to: string; tokenId: bigint },
  tokens: Map<bigint, Token>,
): void {
  const token = tokens.get(tokenId) ?? { record: [], transferCount: -1n, rentals: new Map() }
  const transferCount = from === zeroAddress ? 0n : token.transferCount + 1n
  tokens.set(tokenId, { ...token, owner: to, transferCount, listing: unlisted })
}

function readTerms(event: Event, tokens: Map<bigint, Token>): void {
  const token = 'tokenId' in event.args && tokens.get(event.args.tokenId)
  if (!token) return
  if (event.eventName === 'Minted') {
    const { creator, parent, licence, contentHash, digest } = event.args
    token.record = [creator, parent, licence, contentHash, digest]
  } else if (event.eventName === 'Described') token.card = event.args.card
  else if (event.eventName === 'Listed') {
    const { seller, price, rentPerDay, forkPrice, royaltyBps } = event.args
    const terms = [price, rentPerDay, forkPrice, royaltyBps]
    token.listing = terms.some((term) => term !== 0n) ? [seller, ...terms] : unlisted
  } else if (event.eventName === 'Rented')
    token.rentals.set(event.args.renter, event.args.expiresAt)
}
