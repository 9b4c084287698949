import { createHash } from 'node:crypto'
import { type Card, encodeCard, hash } from '@heirloom/core'
import type { Hex } from 'viem'
import { eventSelectors } from './event-selectors.ts'
import {
  type SyntheticEvent,
  syntheticChain,
  syntheticContracts,
  word,
  words,
} from './synthetic-chain.ts'

/** A chain on which every token has a card and is listed, and a lookup of the cards' blocks. */
export type LargeMarket = {
  readonly chain: ReturnType<typeof syntheticChain>
  readonly contracts: typeof syntheticContracts
  readonly cards: (digest: string) => Promise<Uint8Array | undefined>
}

/** The number of first tokens, which have cards of the maximum size; so many are children of token 1. */
const usualFamily = 600

/** The number of accounts that rent token 1. */
const renters = 5000

/** Words of decreasing frequency in titles. */
const vocabulary = Array.from({ length: 4000 }, (_, index) => `${letters(index)}word${index}`)

/** The words in all titles, tags, categories and descriptions, in this order. */
export const everywhere = ['memory', 'trading', 'research', 'notes'] as const

/** Creates a market of `tokens` tokens, the first ones a family, the same at every call. */
export function largeMarket(tokens: number, family = usualFamily): LargeMarket {
  const next = numbers(1)
  return marketOf(
    Array.from({ length: tokens }, (_, index) => cardOf(index + 1, next)),
    family,
  )
}

/** Creates a market of tokens with given cards, the first ones a family. */
export function marketOf(cards: readonly Card[], family = 0): LargeMarket {
  const blocks = new Map<string, Uint8Array>()
  const events: SyntheticEvent[] = []
  for (const [index, card] of cards.entries()) {
    const id = index + 1
    const contentHash = sha256(`memory ${id}`)
    const block = encodeCard({ card, contentHash: hash(contentHash) })
    const digest = sha256(block)
    blocks.set(digest, block)
    const parent = id > 1 && id <= family ? 1 : 0
    events.push(...mintEvents(id, { contentHash, digest, parent }))
  }
  for (let renter = 1; renter <= renters; renter++) events.push(rental(renter))
  return {
    chain: syntheticChain(events),
    contracts: syntheticContracts,
    cards: async (digest) => blocks.get(digest),
  }
}

type Content = { readonly contentHash: Hex; readonly digest: Hex; readonly parent: number }

function mintEvents(
  id: number,
  { contentHash, digest, parent }: Content,
): readonly SyntheticEvent[] {
  const { Transfer, Minted, Described, Listed } = eventSelectors
  const { registry, marketplace } = syntheticContracts
  const [token, owner] = [word(id), word(10 + (id % 3))]
  return [
    { of: registry, topics: [Transfer, word(0), owner, token] },
    { of: registry, topics: [Minted, token, owner, contentHash], data: words(id, parent, 0) },
    { of: registry, topics: [Described, token], data: digest },
    {
      of: marketplace,
      topics: [Listed, token, owner],
      data: words(1 + ((id * 7919) % 60_013), id, id, 500),
    },
  ]
}

function rental(renter: number): SyntheticEvent {
  const account = word(1000 + renter)
  const data = words(10, 2_000_000_000 + renter, 5)
  return {
    of: syntheticContracts.marketplace,
    topics: [eventSelectors.Rented, word(1), account, account],
    data,
  }
}

function cardOf(id: number, next: () => number): Card {
  const some = (count: number) =>
    Array.from({ length: count }, () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)])
  const [inTitle, inTags, category, inDescription] = everywhere
  const filler = id <= usualFamily ? '\u00e9'.repeat(1500) : ''
  return {
    title: [inTitle, ...some(4)].join(' '),
    tags: [inTags, ...some(2).map(String)],
    category,
    description: [inDescription, ...some(8), filler].join(' ').slice(0, 2000),
    preview: id <= usualFamily ? '\u00e9'.repeat(4000) : 'A sample.',
  }
}

function letters(index: number): string {
  const letter = (at: number) => String.fromCharCode(97 + (at % 26))
  return `${letter(index)}${letter(Math.floor(index / 26))}`
}

/** Creates a generator of numbers from 0 to 1 from a seed. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

const sha256 = (content: string | Uint8Array): Hex =>
  `0x${createHash('sha256').update(content).digest('hex')}`
