import { Failure } from '@heirloom/core'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { marketOperations } from '../../api/operations/market.ts'
import type { ReadonlyStatic } from '../../api/readonly-static.ts'
import { inDollars, TokenId } from '../../api/schema-parts.ts'
import type { Client } from '../../client/client.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import type { OwnAcquireInput, OwnRoyaltyInput, Wallet } from '../../wallet/wallet.ts'
import { type ExactTool, type Tool, tool, walletOf } from './tool.ts'
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

/** A tool for an act, by who signs and pays it. */
type ByPayer<Payer, Input extends TObject, Output extends TObject> = Pick<
  ExactTool<Input, Output>,
  'name' | 'title' | 'description' | 'input'
> & {
  readonly send: (
    payer: Payer,
    args: Omit<Static<Input>, 'idempotencyKey'>,
    options: WriteOptions,
  ) => Promise<ReadonlyStatic<Output>>
}

type Act<Input extends TObject, OwnInput extends TObject, Output extends TObject> = Pick<
  ExactTool<TObject, Output>,
  'effect' | 'output' | 'summarize'
> & {
  readonly agent: ByPayer<Client, Input, Output>
  readonly own: ByPayer<Wallet, OwnInput, Output>
}

/** Defines the two tools for an act: the agent wallet pays one, the wallet of the session the other. */
function act<Input extends TObject, OwnInput extends TObject, Output extends TObject>({
  agent: { send, ...agent },
  own: { send: sendOwn, ...own },
  ...common
}: Act<Input, OwnInput, Output>): { readonly agent: Tool; readonly own: Tool } {
  const toolFor = <It extends TObject>(
    said: Omit<ByPayer<never, It, Output>, 'send'> & Pick<ExactTool, 'reach'>,
    run: ExactTool<It, Output>['run'],
  ) => tool<It, Output>({ ...common, ...said, run })
  return {
    agent: toolFor({ ...agent, reach: 'owner' }, ({ client }, args, { signal }) => {
      const { idempotencyKey, ...given } = args as Keyed<Input>
      return send(client, given, { signal, idempotencyKey })
    }),
    own: toolFor({ ...own, reach: 'own' }, async (session, args, { signal }) => {
      const { idempotencyKey, ...given } = args as Keyed<OwnInput>
      return sendOwn(await walletOf(session), given, { signal, idempotencyKey })
    }),
  }
}

type Keyed<Input extends TObject> = Static<Input> & { readonly idempotencyKey?: string }

const { list, buy, rent, fork, royalty } = marketOperations

/** The acts on the marketplace. */
const acts = [
  act({
    effect: 'sets',
    output: list.answers[201],
    summarize: () => 'The terms are set.',
    agent: {
      name: 'market_list',
      title: 'List a memory',
      description:
        'Sets the prices of a token of the agent wallet: to buy, to rent per day and to fork. In dollars they are in the member dollars, and those in wei are "0". They replace earlier terms; all "0" unlists the token.',
      input: argumentsSchema({ ...list.body.properties, ...writeArguments }),
      send: (client, terms, options) => client.list(terms, options),
    },
    own: {
      name: 'own_list',
      title: 'List a memory of the own wallet',
      description: 'As market_list, for a token of the wallet of this session, which pays the gas.',
      input: argumentsSchema({ ...list.body.properties, ...writeArguments }),
      send: (wallet, terms, options) => wallet.list(terms, options),
    },
  }),
  act({
    effect: 'pays',
    output: buy.answers[201],
    summarize: () => 'Bought.',
    agent: {
      name: 'market_buy',
      title: 'Buy a memory',
      description:
        'Buys a listed token; the agent wallet pays its price. The new owner is the wallet of this session, or the recipient.',
      input: argumentsSchema(acquireArguments),
      send: (client, { tokenId, ...terms }, options) => client.buy(tokenId, terms, options),
    },
    own: {
      name: 'own_buy',
      title: 'Buy a memory with the own wallet',
      description:
        'As market_buy, but the wallet of this session pays the price: in wei up to maxPrice, or in dollars up to maxDollars.',
      input: argumentsSchema(ownAcquireArguments),
      send: (wallet, { tokenId, ...terms }, options) =>
        wallet.buy(tokenId, requireLimit(terms), options),
    },
  }),
  act({
    effect: 'pays',
    output: rent.answers[201],
    summarize: ({ expiresAt }) =>
      `Rented until ${new Date(Number(expiresAt) * 1000).toISOString()}.`,
    agent: {
      name: 'market_rent',
      title: 'Rent a memory',
      description:
        'Rents a listed token for whole days; the agent wallet pays. The wallet of this session, or the recipient, can open it until the rental ends.',
      input: argumentsSchema(rentArguments),
      send: (client, { tokenId, ...terms }, options) => client.rent(tokenId, terms, options),
    },
    own: {
      name: 'own_rent',
      title: 'Rent a memory with the own wallet',
      description:
        'As market_rent, but the wallet of this session pays: in wei up to maxPrice, or in dollars up to maxDollars.',
      input: argumentsSchema(ownRentArguments),
      send: (wallet, { tokenId, ...terms }, options) =>
        wallet.rent(tokenId, requireLimit(terms), options),
    },
  }),
  act({
    effect: 'pays',
    output: fork.answers[201],
    summarize: ({ tokenId }) => `Minted the child, token ${tokenId}.`,
    agent: {
      name: 'memory_fork',
      title: 'Fork a memory',
      description:
        'Mints a licensed child of a listed token; the agent wallet pays. Later sales of the child owe royalties to its ancestors: in sum, totalRoyaltyBps of market_listing. The owner is the wallet of this session, or the recipient.',
      input: argumentsSchema(forkArguments),
      send: (client, { tokenId, ...terms }, options) => client.fork(tokenId, terms, options),
    },
    own: {
      name: 'own_fork',
      title: 'Fork a memory with the own wallet',
      description:
        'As memory_fork, but the wallet of this session pays, in wei up to maxPrice or in dollars up to maxDollars, and is the creator of the child.',
      input: argumentsSchema(ownForkArguments),
      send: (wallet, { tokenId, ...terms }, options) =>
        wallet.fork(tokenId, requireLimit(terms), options),
    },
  }),
  act({
    effect: 'pays',
    output: royalty.answers[201],
    summarize: () => 'Paid.',
    agent: {
      name: 'market_royalty',
      title: 'Pay a royalty',
      description: 'Pays an amount from the agent wallet to the creator of a token.',
      input: argumentsSchema({ tokenId: TokenId, ...royalty.body.properties, ...writeArguments }),
      send: (client, { tokenId, amount }, options) => client.royalty(tokenId, { amount }, options),
    },
    own: {
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
      send: (wallet, { tokenId, ...terms }, options) =>
        wallet.royalty(tokenId, royaltyOf(terms), options),
    },
  }),
]

/** The tools of the marketplace; the agent wallet signs and pays. */
export const marketTools: readonly Tool[] = acts.map(({ agent }) => agent)

/** The tools of the marketplace that the wallet of the session signs and pays. */
export const ownMarketTools: readonly Tool[] = acts.map(({ own }) => own)

/** Requires that a model says the most it pays. @throws `value/invalid` */
function requireLimit<T extends Pick<OwnAcquireInput, 'maxPrice' | 'maxDollars'>>(terms: T): T {
  if (terms.maxPrice !== undefined || terms.maxDollars !== undefined) return terms
  const problem = 'is missing: give maxPrice in wei, or maxDollars'
  throw new Failure('value/invalid', { kind: 'highest price', problem })
}

function royaltyOf({
  amount,
  dollars,
}: {
  readonly amount?: string
  readonly dollars?: string
}): OwnRoyaltyInput {
  if (amount !== undefined && dollars === undefined) return { amount }
  if (dollars !== undefined && amount === undefined) return { dollars }
  const problem = 'must be given once: amount in wei, or dollars'
  throw new Failure('value/invalid', { kind: 'royalty', problem })
}
