import { Failure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { marketOperations } from '../../api/operations/market.ts'
import { inDollars, TokenId } from '../../api/schemas/schema-parts.ts'
import type { OwnAcquireInput, OwnRoyaltyInput } from '../../wallet/wallet.ts'
import { type Tool, tool, walletOf } from './tool.ts'
import {
  acquireArguments,
  argumentsSchema,
  forkArguments,
  ownAcquireArguments,
  ownForkArguments,
  ownRentArguments,
  rentArguments,
  writeArguments,
} from './tool-schemas.ts'

const { list, buy, rent, fork, royalty } = marketOperations

const byAgent = { reach: 'owner', effect: 'pays' } as const
const bySession = { reach: 'own', effect: 'pays' } as const

const describeRental = ({ expiresAt }: { readonly expiresAt: string }) =>
  `Rented until ${new Date(Number(expiresAt) * 1000).toISOString()}.`

const describeFork = ({ tokenId }: { readonly tokenId: string }) =>
  `Minted the child, token ${tokenId}.`

/** The tools of the marketplace; the agent wallet signs and pays. */
export const marketTools: readonly Tool[] = [
  tool({
    ...byAgent,
    effect: 'sets',
    name: 'market_list',
    title: 'List a memory',
    description:
      'Sets the prices of a token of the agent wallet: to buy, to rent per day and to fork. In dollars they are in the member dollars, and those in wei are "0". They replace earlier terms; all "0" unlists the token.',
    input: argumentsSchema({ ...list.body.properties, ...writeArguments }),
    output: list.answers[201],
    run: ({ client }, { idempotencyKey, ...terms }, { signal }) =>
      client.list(terms, { signal, idempotencyKey }),
    summarize: () => 'The terms are set.',
  }),
  tool({
    ...byAgent,
    name: 'market_buy',
    title: 'Buy a memory',
    description:
      'Buys a listed token; the agent wallet pays its price. The new owner is the wallet of this session, or the recipient.',
    input: argumentsSchema(acquireArguments),
    output: buy.answers[201],
    run: ({ client }, { tokenId, idempotencyKey, ...terms }, { signal }) =>
      client.buy(tokenId, terms, { signal, idempotencyKey }),
    summarize: () => 'Bought.',
  }),
  tool({
    ...byAgent,
    name: 'market_rent',
    title: 'Rent a memory',
    description:
      'Rents a listed token for whole days; the agent wallet pays. The wallet of this session, or the recipient, can open it until the rental ends.',
    input: argumentsSchema(rentArguments),
    output: rent.answers[201],
    run: ({ client }, { tokenId, idempotencyKey, ...terms }, { signal }) =>
      client.rent(tokenId, terms, { signal, idempotencyKey }),
    summarize: describeRental,
  }),
  tool({
    ...byAgent,
    name: 'memory_fork',
    title: 'Fork a memory',
    description:
      'Mints a licensed child of a listed token; the agent wallet pays. Later sales of the child owe royalties to its ancestors: in sum, totalRoyaltyBps of market_listing. The owner is the wallet of this session, or the recipient.',
    input: argumentsSchema(forkArguments),
    output: fork.answers[201],
    run: ({ client }, { tokenId, idempotencyKey, ...terms }, { signal }) =>
      client.fork(tokenId, terms, { signal, idempotencyKey }),
    summarize: describeFork,
  }),
  tool({
    ...byAgent,
    name: 'market_royalty',
    title: 'Pay a royalty',
    description: 'Pays an amount from the agent wallet to the creator of a token.',
    input: argumentsSchema({ tokenId: TokenId, ...royalty.body.properties, ...writeArguments }),
    output: royalty.answers[201],
    run: ({ client }, { tokenId, idempotencyKey, amount }, { signal }) =>
      client.royalty(tokenId, { amount }, { signal, idempotencyKey }),
    summarize: () => 'Paid.',
  }),
]

/** The tools of the marketplace that the wallet of the session signs and pays. */
export const ownMarketTools: readonly Tool[] = [
  tool({
    ...bySession,
    effect: 'sets',
    name: 'own_list',
    title: 'List a memory of the own wallet',
    description: 'As market_list, for a token of the wallet of this session, which pays the gas.',
    input: argumentsSchema({ ...list.body.properties, ...writeArguments }),
    output: list.answers[201],
    run: async (session, { idempotencyKey, ...terms }, { signal }) =>
      (await walletOf(session)).list(terms, { signal, idempotencyKey }),
    summarize: () => 'The terms are set.',
  }),
  tool({
    ...bySession,
    name: 'own_buy',
    title: 'Buy a memory with the own wallet',
    description:
      'As market_buy, but the wallet of this session pays the price: in wei up to maxPrice, or in dollars up to maxDollars.',
    input: argumentsSchema(ownAcquireArguments),
    output: buy.answers[201],
    run: async (session, { tokenId, idempotencyKey, ...terms }, { signal }) => {
      const limited = requireLimit(terms)
      return (await walletOf(session)).buy(tokenId, limited, { signal, idempotencyKey })
    },
    summarize: () => 'Bought.',
  }),
  tool({
    ...bySession,
    name: 'own_rent',
    title: 'Rent a memory with the own wallet',
    description:
      'As market_rent, but the wallet of this session pays: in wei up to maxPrice, or in dollars up to maxDollars.',
    input: argumentsSchema(ownRentArguments),
    output: rent.answers[201],
    run: async (session, { tokenId, idempotencyKey, ...terms }, { signal }) => {
      const limited = requireLimit(terms)
      return (await walletOf(session)).rent(tokenId, limited, { signal, idempotencyKey })
    },
    summarize: describeRental,
  }),
  tool({
    ...bySession,
    name: 'own_fork',
    title: 'Fork a memory with the own wallet',
    description:
      'As memory_fork, but the wallet of this session pays, in wei up to maxPrice or in dollars up to maxDollars, and is the creator of the child.',
    input: argumentsSchema(ownForkArguments),
    output: fork.answers[201],
    run: async (session, { tokenId, idempotencyKey, ...terms }, { signal }) => {
      const limited = requireLimit(terms)
      return (await walletOf(session)).fork(tokenId, limited, { signal, idempotencyKey })
    },
    summarize: describeFork,
  }),
  tool({
    ...bySession,
    name: 'own_royalty',
    title: 'Pay a royalty with the own wallet',
    description:
      'Pays an amount from the wallet of this session to the creator of a token: amount in wei, or dollars in millionths of a dollar.',
    input: argumentsSchema({
      tokenId: TokenId,
      amount: Type.Optional(royalty.body.properties.amount),
      dollars: Type.Optional(inDollars('Royalty in dollars')),
      ...writeArguments,
    }),
    output: royalty.answers[201],
    run: async (session, { tokenId, idempotencyKey, ...terms }, { signal }) => {
      const payment = royaltyOf(terms)
      return (await walletOf(session)).royalty(tokenId, payment, { signal, idempotencyKey })
    },
    summarize: () => 'Paid.',
  }),
]

/** Requires that a model says the most it pays. @throws `value/invalid` */
function requireLimit<T extends Pick<OwnAcquireInput, 'maxPrice' | 'maxDollars'>>(terms: T): T {
  if (terms.maxPrice !== undefined || terms.maxDollars !== undefined) return terms
  const problem = 'is missing: give maxPrice in wei, or maxDollars'
  throw new Failure('value/invalid', { kind: 'highest price', problem })
}

type RoyaltyTerms = { readonly amount?: string; readonly dollars?: string }

function royaltyOf({ amount, dollars }: RoyaltyTerms): OwnRoyaltyInput {
  if (amount !== undefined && dollars === undefined) return { amount }
  if (dollars !== undefined && amount === undefined) return { dollars }
  const problem = 'must be given once: amount in wei, or dollars'
  throw new Failure('value/invalid', { kind: 'royalty', problem })
}
