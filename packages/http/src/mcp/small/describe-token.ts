import { amountWithUnit } from '../../api/amount-notation.ts'
import type { Listed, Token } from '../../client/responses.ts'

/** The prices of a listing, with their units; what is not offered is absent. */
export function describePrices({ dollars, ...inWei }: Listed) {
  const currency = dollars === undefined ? 'native' : 'dollar'
  const { price, rentalPricePerDay, forkPrice } = dollars ?? inWei
  const offered = (amount: string) =>
    amount === '0' ? undefined : amountWithUnit(currency, amount)
  return { buy: offered(price), rentPerDay: offered(rentalPricePerDay), fork: offered(forkPrice) }
}

/** Describes a token in a list. */
export const describeBriefly = ({ tokenId, card, listing }: Token) => ({
  token: tokenId,
  title: card?.title,
  category: card?.category,
  tags: card?.tags,
  ...(listing !== null && describePrices(listing)),
})

/** Describes a token with its card, its shown values and its terms, as long as they are. */
export function describeFully(token: Token) {
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
export const withCutTexts = <Full extends Described>(full: Full): Full => ({
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
