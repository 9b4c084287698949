import type { Currency } from '@heirloom/core'
import type { ListInput } from '../../client/requests.ts'
import type { Lineage, Listing, StreamEvent, Token } from '../../client/responses.ts'
import type { Line, Span } from './output.ts'
import { amountText, dollarText, priceText, timeText } from './value-text.ts'

type Prices = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice'>

type Terms = Prices &
  Pick<Listing, 'forkRoyaltyBps'> &
  Partial<Pick<Listing, 'totalRoyaltyBps' | 'canBeForked'>> & {
    readonly dollars?: Prices | undefined
  }

/** Returns the offers of a listing, each with its price in its currency. */
export function termsText(terms: Terms): readonly (readonly [string, string])[] {
  return [
    ...offersText(terms, terms, amountText),
    ...(terms.dollars === undefined ? [] : offersText(terms, terms.dollars, dollarText)),
  ]
}

function offersText(
  terms: Terms,
  { price, rentalPricePerDay, forkPrice }: Prices,
  textOf: (amount: bigint) => string,
): readonly (readonly [string, string])[] {
  const offer = (name: string, amount: bigint | string, suffix: string) =>
    BigInt(amount) > 0n ? [[name, `${textOf(BigInt(amount))}${suffix}`] as const] : []
  return [
    ...offer('For sale', price, ''),
    ...offer('For rent', rentalPricePerDay, ' a day'),
    ...offer('For fork', forkPrice, royaltyText(terms)),
  ]
}

/** Returns the royalties of a fork. Terms that are not listed yet know only their own share. */
function royaltyText({ forkRoyaltyBps, totalRoyaltyBps, canBeForked }: Terms): string {
  if (canBeForked === false) return ', but its lineage is too deep to fork'
  if (totalRoyaltyBps === undefined) return `, royalty ${forkRoyaltyBps / 100} %`
  return `, royalties ${totalRoyaltyBps / 100} % in total`
}

/** The members that every event has; the others say what happened. */
const commonMembers: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'tokenId',
  'block',
  'timestamp',
  'txHash',
  'logIndex',
])

const amountMembers: ReadonlySet<string> = new Set([
  'price',
  'rentalPricePerDay',
  'forkPrice',
  'paid',
  'amount',
])

/**
 * Returns an event as one line: when, which token and the title of its memory where one is given, what,
 * and each value that is set.
 */
export function eventText(event: StreamEvent, title?: string): Line {
  if (event.kind === 'reorganised') {
    return `The chain was reorganised: events from block ${event.block} on are void.`
  }
  const currency = event.kind.startsWith('dollar-') ? 'dollar' : 'native'
  const members = Object.entries(event).filter(
    ([name, value]) => !commonMembers.has(name) && value !== null && value !== '0',
  )
  const isTakenDown =
    event.kind.endsWith('listing') && !members.some(([name]) => amountMembers.has(name))
  const shown = isTakenDown ? members.filter(([name]) => name === 'seller') : members
  const words = shown.map(([name, value]) => memberText(name, `${value}`, currency))
  return [
    { style: 'dim', text: timeText(event.timestamp) },
    `  ${isTakenDown ? 'end of the listing' : event.kind}${tokenText(event.tokenId, title)}`,
    words.length === 0 ? '' : `: ${words.join(', ')}`,
  ]
}

function tokenText(tokenId: string, title: string | undefined): string {
  if (tokenId === '0') return ''
  return ` of token ${tokenId}${title === undefined ? '' : `, ${title}`}`
}

/** The members that have other words than their names. */
const memberWords: Readonly<Record<string, string>> = {
  expiresAt: 'until',
  forkRoyaltyBps: 'royalty of a fork',
  royaltyBps: 'royalty',
  rentalPricePerDay: 'rent a day',
}

function memberText(name: string, value: string, currency: Currency): string {
  const words = memberWords[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words} ${valueText(name, value, currency)}`
}

function valueText(name: string, value: string, currency: Currency): string {
  if (amountMembers.has(name)) return priceText(currency, value)
  if (name.endsWith('Bps')) return `${Number(value) / 100} %`
  return name === 'expiresAt' ? timeText(value) : value
}

/** Draws a lineage as a tree: the ancestors, the token, and its descendants. */
export function lineageTree({ token, ancestors, descendants }: Lineage): readonly Line[] {
  const children = new Map<string, Token[]>()
  const line = [...ancestors.map((it) => it.token)].reverse()
  for (const child of [...line.slice(1), token, ...descendants.map((it) => it.token)]) {
    const siblings = children.get(child.parent) ?? []
    children.set(child.parent, [...siblings, child])
  }
  return branch(
    { token: line[0] ?? token, lead: '', below: '' },
    { children, shown: token.tokenId },
  )
}

type Branch = { readonly token: Token; readonly lead: string; readonly below: string }
type Drawing = { readonly children: ReadonlyMap<string, readonly Token[]>; readonly shown: string }

function branch({ token, lead, below }: Branch, drawing: Drawing): readonly Line[] {
  const children = drawing.children.get(token.tokenId) ?? []
  const last = children.length - 1
  return [
    lineOf(token, lead, drawing.shown === token.tokenId),
    ...children.flatMap((child, at) =>
      branch(
        {
          token: child,
          lead: `${below}${at === last ? '└─ ' : '├─ '}`,
          below: `${below}${at === last ? '   ' : '│  '}`,
        },
        drawing,
      ),
    ),
  ]
}

function lineOf(token: Token, lead: string, isShown: boolean): Line {
  const { tokenId, card, creator, link, royaltyBps, originality } = token
  const name: string | Span = isShown ? { style: 'bold', text: tokenId } : tokenId
  const kind = link === 'fork' ? ` fork, ${(royaltyBps ?? 0) / 100} %` : ''
  const title = card ? ` “${card.title}”` : ''
  const mark = originality === 'original' ? '' : ` [${originality}]`
  const by = { style: 'dim', text: ` by ${creator}` } as const
  return [lead, name, kind, title, mark, by, isShown ? ' ◀' : '']
}
