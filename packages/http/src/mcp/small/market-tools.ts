import { type Currency, Failure, type Offer } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { amountWithUnit, parseDollars, parseWei } from '../../api/amount-notation.ts'
import { TokensParameters } from '../../api/schemas/catalogue-queries.ts'
import { readRated } from '../../client/ratings.ts'
import type { ListingsQuery } from '../../client/requests.ts'
import type { Listed, Token } from '../../client/responses.ts'
import { flaggedArgument, guardText, withGuard } from '../guard.ts'
import { screenedTool } from '../guarded-tool.ts'
import { afterArgument, limitArgument } from '../tools/pages.ts'
import { type Session, smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { findToken, MemoryArgument, sessionBy } from './memory-argument.ts'

/** The prices of a listing, with their units; what is not offered is absent. */
function describePrices({ dollars, ...inWei }: Listed) {
  const currency = dollars === undefined ? 'native' : 'dollar'
  const { price, rentalPricePerDay, forkPrice } = dollars ?? inWei
  const offered = (amount: string) =>
    amount === '0' ? undefined : amountWithUnit(currency, amount)
  return { buy: offered(price), rentPerDay: offered(rentalPricePerDay), fork: offered(forkPrice) }
}

/** Describes a token in a list. */
const describeBriefly = ({ tokenId, card, listing }: Token) => ({
  token: tokenId,
  title: card?.title,
  category: card?.category,
  tags: card?.tags,
  ...(listing !== null && describePrices(listing)),
})

/** Describes a token with its card, its shown values and its terms, as long as they are. */
function describeFully(token: Token) {
  const { card, sample, owner, creator, parent, originality, listing, erasedAt } = token
  return {
    ...describeBriefly(token),
    owner,
    creator,
    originality,
    parent: parent === '0' ? undefined : parent,
    description: card?.description,
    preview: card?.preview,
    royaltyOfFork: listing === null ? undefined : `${listing.totalRoyaltyBps / 100}%`,
    shown: sample?.excerpts.map(({ pointer, value }) => ({ at: pointer, json: value })),
    shownIs: sample?.mark,
    erased: erasedAt === null ? undefined : true,
  }
}

type Described = Partial<
  Pick<ReturnType<typeof describeFully>, 'description' | 'preview' | 'shown'>
>

/** Returns a description with its long texts cut. */
const withCutTexts = <Full extends Described>(full: Full): Full => ({
  ...full,
  description: cut(full.description),
  preview: cut(full.preview),
  shown: full.shown?.map(({ at, json }) => ({ at, json: cut(json) })),
})

/** The most characters of a text of a card. */
const mostOfText = 600

const cut = <Text extends string | undefined>(text: Text): Text | string =>
  text !== undefined && text.length > mostOfText
    ? `${text.slice(0, mostOfText).toWellFormed()}…`
    : text

const reading = { reach: 'anyone', effect: 'reads' } as const

const OfferArgument = Type.Optional(
  Type.Unsafe<Offer>({ type: 'string', enum: ['sale', 'rent', 'fork'], description: 'On offer.' }),
)

/** Returns the schema of a price with a unit. */
export const priceArgument = (description: string) =>
  Type.String({ maxLength: 80, description: `${description}: 0.01ether, 5usd, or wei.` })

/** Reads a price. @throws `value/invalid` */
export function readPrice(text: string): { readonly currency: Currency; readonly amount: string } {
  const wei = parseWei(text)
  if (wei !== undefined) return { currency: 'native', amount: `${wei}` }
  const dollars = parseDollars(text)
  if (dollars !== undefined) return { currency: 'dollar', amount: `${dollars}` }
  const problem = 'must be an amount with its unit, such as 0.01ether or 5usd'
  throw new Failure('value/invalid', { kind: 'price', problem })
}

const maxPriceOf = { sale: 'maxPrice', rent: 'maxRentalPricePerDay', fork: 'maxForkPrice' } as const

function listingsQuery(offer: Offer, maxPrice: string | undefined): ListingsQuery {
  if (maxPrice === undefined) return { offer: [offer] }
  const { currency, amount } = readPrice(maxPrice)
  return { offer: [offer], currency, [maxPriceOf[offer]]: amount }
}

/** Returns the account that `me` stands for. */
function ownerOf({ account }: Session, owner: string | undefined): `0x${string}` | undefined {
  if (owner !== 'me') return owner as `0x${string}` | undefined
  if (account !== undefined) return account as `0x${string}`
  throw new Failure('value/invalid', {
    kind: 'owner',
    problem: 'must be an address here: no wallet',
  })
}

/** The tools that find memories and describe one. */
export const marketTools = [
  screenedTool(
    smallTool({
      ...reading,
      name: 'browse',
      title: 'Find memories of others',
      description:
        'Finds memories by the words of their public cards; with offer or maxPrice only those on offer, with prices.',
      input: argumentsSchema({
        search: Type.Optional(
          Type.String({ maxLength: 200, description: 'Words that begin words of the card.' }),
        ),
        match: TokensParameters.properties.match,
        format: TokensParameters.properties.format,
        offer: OfferArgument,
        maxPrice: Type.Optional(priceArgument('Highest price of the offer, per day for rent')),
        owner: Type.Optional(
          Type.String({ pattern: '^(me|0x[0-9a-fA-F]{40})$', description: 'Address, or me.' }),
        ),
        limit: limitArgument(10, 100),
        after: afterArgument,
      }),
      run: async (session, { offer, maxPrice, owner: by, ...query }, { signal }) => {
        const owner = ownerOf(session, by)
        const page = { limit: 10, ...query }
        const isOffered = offer !== undefined || maxPrice !== undefined
        const { items, next } = isOffered
          ? await session.client.listings(
              { ...page, ...listingsQuery(offer ?? 'sale', maxPrice), seller: owner },
              { signal },
            )
          : await session.client.memories({ ...page, owner }, { signal })
        const ids = items.map(({ tokenId }) => tokenId)
        const rated = await readRated(session.client, ids, { signal })
        const memories = items.map((it) => ({
          ...describeBriefly(it),
          rated: rated.get(it.tokenId),
        }))
        return JSON.stringify({ memories, next: next ?? undefined })
      },
    }),
  ),
  smallTool({
    ...reading,
    name: 'show',
    title: 'Show what is public of a memory',
    description:
      'Returns the card, owner, creator, prices, ratings and shown values of a memory, without opening it.',
    input: argumentsSchema({ memory: MemoryArgument, flagged: flaggedArgument }),
    run: async (own, { memory, flagged }, { signal }) => {
      const session = sessionBy(own, { name: memory })
      const tokenId = await findToken(session, memory, { signal })
      const [{ token }, rated] = await Promise.all([
        session.client.lineage(tokenId, {}, { signal }),
        readRated(session.client, [tokenId], { signal }),
      ])
      const whole = JSON.stringify({ ...describeFully(token), rated: rated.get(tokenId) })
      // The whole is guarded, so that nothing slips through where a text is cut.
      const options = { tokenId, flagged, signal }
      const { text, guard } = await guardText(session.client, whole, options)
      return withGuard(JSON.stringify(withCutTexts(JSON.parse(text))), guard)
    },
  }),
]
