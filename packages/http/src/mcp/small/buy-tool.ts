import { Failure, maxRentalDays } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { TokenId } from '../../api/schemas/schema-parts.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { type Session, smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { priceArgument, readPrice } from './market-tools.ts'
import { idempotencyKey } from './save-tool.ts'

const hows = ['buy', 'rent', 'fork'] as const

const BuyArguments = argumentsSchema({
  tokenId: { ...TokenId, description: 'Token on offer.' },
  maxPrice: priceArgument('Most to pay in all; above it nothing is paid'),
  how: Type.Optional(
    Type.Unsafe<(typeof hows)[number]>({
      type: 'string',
      enum: hows,
      description: 'Default buy; fork mints a licensed copy of your own.',
    }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxRentalDays, description: 'Days to rent for.' }),
  ),
  idempotencyKey,
})

type BuyArguments = Static<typeof BuyArguments>

/** The tool that pays for memories. */
export const buyTool = smallTool({
  reach: 'owner',
  effect: 'pays',
  name: 'buy',
  title: 'Buy, rent or fork a memory',
  description:
    'Pays for a memory on offer, so that you can open it. Only with the consent of the user.',
  input: BuyArguments,
  run: async (session, args, { signal }) => {
    const { tokenId, idempotencyKey } = args
    const how = args.how ?? (args.days === undefined ? 'buy' : 'rent')
    requireDays(how, args)
    const options = { signal, idempotencyKey }
    const wallet = await session.wallet?.()
    const paid = await pay(
      wallet ?? session.client,
      { ...args, how, limit: limitOf(args, wallet) },
      options,
    )
    const child = 'tokenId' in paid ? paid.tokenId : undefined
    const until =
      'expiresAt' in paid ? new Date(Number(paid.expiresAt) * 1000).toISOString() : undefined
    return JSON.stringify({ done: how, token: child ?? tokenId, until, txHash: paid.txHash })
  },
})

function requireDays(how: string, { days }: BuyArguments): void {
  if ((how === 'rent') === (days !== undefined)) return
  const problem =
    how === 'rent' ? 'needs days: say for how many' : 'needs no days: leave them out, or rent'
  throw new Failure('value/invalid', { kind: how === 'rent' ? 'rental' : 'purchase', problem })
}

type Limit = { readonly maxPrice: string } | { readonly maxDollars: string }

/** Returns the limit in its currency; the agent wallet pays native money only. */
function limitOf({ maxPrice }: BuyArguments, wallet: Wallet | undefined): Limit {
  const { currency, amount } = readPrice(maxPrice)
  if (currency === 'native') return { maxPrice: amount }
  if (wallet !== undefined) return { maxDollars: amount }
  const problem =
    'must be in native money, such as 0.01ether: only a wallet of your own with HEIRLOOM_MAX_DOLLARS_PER_DAY pays dollars'
  throw new Failure('value/invalid', { kind: 'price', problem })
}

type Payer =
  | Pick<Session['client'], 'buy' | 'rent' | 'fork'>
  | Pick<Wallet, 'buy' | 'rent' | 'fork'>

type Payment = Pick<BuyArguments, 'tokenId' | 'days'> & {
  readonly how: (typeof hows)[number]
  readonly limit: Limit
}

async function pay(
  payer: Payer,
  { tokenId, how, days = 0, limit }: Payment,
  options: WriteOptions,
) {
  if (how === 'rent') return payer.rent(tokenId, { ...limit, durationDays: days }, options)
  return how === 'buy' ? payer.buy(tokenId, limit, options) : payer.fork(tokenId, limit, options)
}
