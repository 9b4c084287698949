import {
  type Account,
  account,
  type Digest,
  digest,
  type Hash,
  hash,
  instant,
  sameAccount,
  type TokenId,
} from '@heirloom/core'
import { getAddress, type Hex, type PublicClient } from 'viem'
import {
  buryMint,
  type FailedMint,
  failedMints,
  reviveMint,
  tokensOfMints,
} from '../store/job-queries.ts'
import type { Store } from '../store/store.ts'
import { type Chain, connect } from './connection.ts'
import type { ContractPair } from './contract-pair.ts'
import { clockError, tokensOf } from './minted-tokens.ts'
import { callNode } from './node-call.ts'
import { decodeMintContent, mintedDigests } from './nonce-lane/job.ts'

/** A mint that failed, and what a final block of the chain says of it. */
export type DecidedMint = {
  readonly creator: Account
  readonly contentHash: Hash
  readonly digest: Digest
  readonly card: Digest | undefined
  /** The token that it minted all the same; absent if there is none, and never will be. */
  readonly tokenId: TokenId | undefined
  /** Whether there is a token with its blobs, its own or one of another mint. */
  readonly isPairMinted: boolean
  /** Notes that it succeeded, or that nothing is left of it. */
  readonly settle: () => Promise<void>
}

export declare namespace decideFailedMints {
  type Parts = {
    readonly chain: Chain | URL
    readonly contracts: Pick<ContractPair, 'registry'>
    readonly store: Store
    /** The greatest depth of a reorganisation, in blocks: what is deeper is final. */
    readonly reorgDepth: number
  }
}

/** The time after which a failed mint is decided, in milliseconds. */
const delay = 600_000

/**
 * Returns the mints that were signed and failed, and that a final block decides: it has used their
 * nonces, and its state has their tokens or not. No event and no receipt is asked.
 *
 * @throws `ledger/unavailable`
 */
export async function* decideFailedMints(
  parts: decideFailedMints.Parts,
): AsyncGenerator<DecidedMint> {
  const { store, chain, contracts, reorgDepth } = parts
  const due = await failedMints(store, store.now() - delay)
  if (due.length === 0) return
  const client = connect(chain)
  const place = { store, client, registry: contracts.registry, lanes: await lanesOf(client) }
  const head = await callNode('eth_blockNumber', () => client.getBlockNumber({ cacheTime: 0 }))
  const block = head - BigInt(reorgDepth)
  for (const mint of due) {
    const found = block < 0n ? 'open' : await findToken({ ...place, block }, mint)
    if (found !== 'open') yield decided(store, mint, found)
  }
}

/** Returns the beginning of the ids of all lanes of a chain. */
async function lanesOf(client: PublicClient): Promise<string> {
  const [chainId, { hash }] = await callNode('eth_chainId', () =>
    Promise.all([client.getChainId(), client.getBlock({ blockNumber: 0n })]),
  )
  return `${chainId}:${hash}:`
}

type Place = {
  readonly store: Store
  readonly client: PublicClient
  readonly registry: Hex
  readonly lanes: string
  readonly block: bigint
}

const creatorOf = ({ lane }: FailedMint): Account =>
  account(getAddress(lane.slice(lane.lastIndexOf(':') + 1)))

type Found = Pick<DecidedMint, 'tokenId' | 'isPairMinted'>

/** Returns the token of a mint; `open` while a block may still take its transaction, or on another chain. */
async function findToken(place: Place, mint: FailedMint): Promise<Found | 'open'> {
  const { store, client, registry, lanes, block } = place
  const isHere = mint.lane.startsWith(lanes) && getAddress(mint.to) === getAddress(registry)
  if (!isHere) return 'open'
  const request = { address: creatorOf(mint), blockNumber: block }
  const used = await callNode('eth_getTransactionCount', () => client.getTransactionCount(request))
  if (used <= mint.nonce) return 'open'
  const tokens = await tokensOfPair(place, mint)
  const { digest } = decodeMintContent(mint.data)
  const ofOthers = await tokensOfMints(store, { lane: mint.lane, digest, except: [mint.id] })
  const tokenId = tokens.find((id) => !ofOthers.has(String(id)))
  return { tokenId, isPairMinted: tokens.length > 0 }
}

/** Returns the tokens that a wallet made of the pair of its mint since that was accepted. */
async function tokensOfPair(
  { client, registry, block }: Place,
  mint: FailedMint,
): Promise<readonly TokenId[]> {
  const { contentHash, digest } = decodeMintContent(mint.data)
  const [creator, since] = [creatorOf(mint), instant(mint.acceptedAt - clockError)]
  const ids: TokenId[] = []
  for await (const token of tokensOf(client, registry, { since, block })) {
    const isPair = token.contentHash === contentHash && token.digest === digest
    if (isPair && sameAccount(token.creator, creator)) ids.push(token.tokenId)
  }
  return ids
}

function decided(store: Store, mint: FailedMint, { tokenId, isPairMinted }: Found): DecidedMint {
  const content = decodeMintContent(mint.data)
  const [, card] = mintedDigests(mint.data)
  return {
    creator: creatorOf(mint),
    contentHash: hash(content.contentHash),
    tokenId,
    isPairMinted,
    digest: digest(content.digest),
    card: card === undefined ? undefined : digest(card),
    settle: () =>
      tokenId === undefined ? buryMint(store, mint) : reviveMint(store, mint, tokenId),
  }
}
