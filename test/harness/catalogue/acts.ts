import { createHash } from 'node:crypto'
import { digest, encodeCard, hash } from '@heirloom/core'
import fc from 'fast-check'
import {
  type Abi,
  type Address,
  createPublicClient,
  custom,
  encodeFunctionData,
  type Hex,
  keccak256,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import type { GatedChain } from '../chain/gated-chain.ts'
import { handOut, payOrder } from './dollar-acts.ts'
import { isHeirAct, performHeirAct } from './heir-acts.ts'

/** A random act on a market. Its numbers choose among the tokens and accounts that exist. */
export type MarketAct = {
  readonly kind: (typeof kinds)[number]
  readonly numbers: readonly [number, number, number, number]
}

const kinds = [
  ...['mint', 'list', 'take down', 'transfer', 'buy', 'rent', 'fork', 'royalty'],
  ...['list in dollars', 'order', 'withdraw', 'withdraw dollars'],
  ...['name heir', 'heartbeat', 'announce', 'take over'],
  ...['reorganise', 'restart', 'wait', 'read'],
] as const

const weights: Partial<Record<string, number>> = {
  mint: 6,
  list: 10,
  buy: 6,
  rent: 5,
  fork: 6,
  order: 14,
  'name heir': 6,
  announce: 3,
  'take over': 4,
}

/** The most blocks that an act undoes. */
const deepest = 5
const nat = fc.nat({ max: 1_000_000 })

/** Any act, by the weights of the kinds. */
export const marketAct: fc.Arbitrary<MarketAct> = fc.record({
  kind: fc.oneof(
    ...kinds.map((kind) => ({ weight: weights[kind] ?? 2, arbitrary: fc.constant(kind as never) })),
  ),
  numbers: fc.tuple(nat, nat, nat, nat),
})

/** A market on anvil, and four accounts, the last of which refuses payments. */
export type Market = Awaited<ReturnType<typeof openMarket>>

/** Opens the market of a contract pair. */
export async function openMarket(
  chain: GatedChain,
  { registry, marketplace, dollar }: Readonly<Record<'registry' | 'marketplace' | 'dollar', Hex>>,
) {
  const client = createPublicClient({ transport: custom(chain, { retryCount: 0 }), cacheTime: 0 })
  const ask = (method: string, ...params: unknown[]) => chain.request({ method, params })
  const [ada, ben, cleo] = (await ask('eth_accounts')) as Address[]
  const miser: Address = '0x00000000000000000000000000000000000a11ce'
  await ask('anvil_setCode', miser, '0x60006000fd')
  await ask('anvil_setBalance', miser, toHex(10n ** 24n))
  await ask('anvil_impersonateAccount', miser)
  // A block that anvil mines on its own during a reorganisation would lose its parent.
  await ask('evm_setAutomine', false)
  await ask('anvil_mine', toHex(8))
  let unmined = 0
  const send = async (from: Address, call: Call) => {
    const { to, abi, functionName, args, value = 0n } = call
    const data = encodeFunctionData({ abi, functionName, args })
    const rest = { to, data, gas: toHex(8_000_000), value: toHex(value) }
    const nonce = await ask('eth_getTransactionCount', from, 'pending')
    await ask('eth_sendTransaction', { from, nonce, ...rest })
    unmined += 1
  }
  /** Mines the sent transactions, if any: undoing an empty block would test nothing. */
  const mine = async () => {
    if (unmined > 0) await ask('evm_mine')
    unmined = 0
  }
  const parties = [ada, ben, cleo, miser] as readonly Address[]
  const at = {
    registry: { address: registry, abi: memoryRegistryAbi } as const,
    marketplace: { address: marketplace, abi: memoryMarketplaceAbi } as const,
  }
  await handOut(send, { dollar, holders: parties.slice(0, 3), blocked: miser })
  await mine()
  // So many that no reorganisation undoes what was handed out.
  await ask('anvil_mine', toHex(deepest))
  const blocks = new Map<string, Uint8Array>()
  return { ask, at, blocks, chain, client, dollar, mine, parties, send }
}

type Call = {
  readonly to: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly value?: bigint
}

/**
 * Performs an act, if there is a token for it. A block holds a few acts; an act that an earlier one
 * made impossible is reverted.
 */
export async function perform(market: Market, act: MarketAct): Promise<void> {
  await attempt(market, act)
  if (act.numbers[3] % 3 === 0) await market.mine()
}

async function attempt(market: Market, act: MarketAct): Promise<void> {
  const { at, client } = market
  const [first, second] = act.numbers
  const supply = Number(await client.readContract({ ...at.registry, functionName: 'totalSupply' }))
  if (act.kind === 'mint') return mint(market, act, supply)
  if (act.kind === 'reorganise') return reorganise(market, 1 + (first % deepest))
  if (act.kind === 'wait') await market.ask('evm_increaseTime', 3600 * (1 + (first % 40)))
  if (isHeirAct(act)) return performHeirAct(market, act)
  if (act.kind === 'withdraw') return withdraw(market, 'creditOf', first)
  if (act.kind === 'withdraw dollars') return withdraw(market, 'dollarCreditOf', first)
  if (supply === 0) return
  // Recent tokens are chosen more often, so that some get long histories.
  const tokenId = BigInt(1 + (supply - 1 - (first % Math.min(supply, 1 + (second % 200)))))
  await trade(market, act, tokenId)
}

async function mint({ at, blocks, parties, send }: Market, act: MarketAct, supply: number) {
  const [first, second, third, fourth] = act.numbers
  const items = Array.from({ length: 1 + (first % 4) }, (_, index) => {
    const contentHash = keccak256(toHex(`content ${(second + index) % 97}`))
    const parent = third % 3 === 0 && supply > 0 ? BigInt(1 + ((third + index) % supply)) : 0n
    const recipient = parties[(fourth + index) % 4] ?? zeroAddress
    return { recipient, contentHash, digest: keccak256(contentHash), parent }
  })
  const cards = items.map(({ contentHash }, index) => {
    const turn = (fourth + index) % 5
    if (turn > 2) return zeroHash
    const about = hash(turn === 0 ? keccak256(toHex('another')) : contentHash)
    const card = { title: `Memory ${second % 7}`, tags: ['a tag'], category: `kind ${turn}` }
    const block = encodeCard({ card, contentHash: about })
    const name = digest(`0x${createHash('sha256').update(block).digest('hex')}`)
    blocks.set(name, block)
    return name
  })
  const to = at.registry.address
  const call = { to, abi: at.registry.abi as Abi, functionName: 'mintDescribed' }
  await send(parties[fourth % 3] ?? zeroAddress, { ...call, args: [items, cards] })
}

async function reorganise({ ask, chain, client, mine }: Market, depth: number): Promise<void> {
  await mine()
  const head = Number(await client.getBlockNumber())
  if (head < depth + 8) return
  await chain.reorganise(depth)
  await ask('anvil_mine', toHex(1))
}

async function withdraw(
  { at, client, parties, send }: Market,
  credit: 'creditOf' | 'dollarCreditOf',
  number: number,
): Promise<void> {
  const miser = parties[3] ?? zeroAddress
  const call = { ...at.marketplace, functionName: credit, args: [miser] } as const
  if ((await client.readContract(call)) === 0n) return
  const target = { to: at.marketplace.address, abi: at.marketplace.abi as Abi }
  const functionName = credit === 'creditOf' ? 'withdraw' : 'withdrawDollars'
  await send(miser, { ...target, functionName, args: [parties[number % 3]] })
}

async function trade(market: Market, act: MarketAct, tokenId: bigint): Promise<void> {
  const { at, client, parties, send } = market
  const [, , third, fourth] = act.numbers
  const read = { ...at.registry, args: [tokenId] } as const
  const owner = await client.readContract({ ...read, functionName: 'ownerOf' })
  const listing = { ...at.marketplace, functionName: 'listingOf', args: [tokenId] } as const
  const [, price, rentPerDay, forkPrice] = await client.readContract(listing)
  const other = parties[third % 4] ?? zeroAddress
  const onMarket = { to: at.marketplace.address, abi: at.marketplace.abi as Abi }
  const onRegistry = { to: at.registry.address, abi: at.registry.abi as Abi }
  const terms = [third, fourth, third * fourth].map((it) => BigInt(it % 4 === 0 ? 0 : it))
  const days = BigInt(1 + (fourth % 3))
  const royaltyBps = BigInt(fourth % 10_001)
  const deal = (functionName: string, args: readonly unknown[], value: bigint) =>
    value === 0n ? undefined : send(other, { ...onMarket, functionName, args, value })
  const deals: { readonly [kind: string]: () => Promise<unknown> | undefined } = {
    order: () => payOrder(market, act, tokenId),
    'list in dollars': () => {
      const args = [tokenId, ...terms, royaltyBps]
      return send(owner, { ...onMarket, functionName: 'listInDollars', args })
    },
    list: () => {
      const args = [tokenId, ...terms, royaltyBps]
      return send(owner, { ...onMarket, functionName: 'list', args })
    },
    'take down': () => {
      const args = [tokenId, 0n, 0n, 0n, 0n]
      return send(owner, { ...onMarket, functionName: 'list', args })
    },
    transfer: () => {
      const args = [owner, other, tokenId]
      return send(owner, { ...onRegistry, functionName: 'transferFrom', args })
    },
    buy: () => deal('buy', [tokenId, parties[fourth % 4]], price),
    rent: () => deal('rent', [tokenId, other, days], rentPerDay * days),
    fork: () => deal('fork', [tokenId, other, 10_000n], forkPrice),
    royalty: () => deal('payRoyalty', [tokenId], BigInt(1 + fourth)),
  }
  await deals[act.kind]?.()
}
