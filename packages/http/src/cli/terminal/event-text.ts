import type { Currency } from '@heirloom/core'
import type { StreamEvent } from '../../client/responses.ts'
import { priceText } from './amount-text.ts'
import type { Line } from './output.ts'
import { timeText } from './rows.ts'

/** The members that every event has; the others say what happened. */
const common: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'tokenId',
  'block',
  'timestamp',
  'txHash',
  'logIndex',
])

const amounts: ReadonlySet<string> = new Set([
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
    ([name, value]) => !common.has(name) && value !== null && value !== '0',
  )
  const isTakenDown = event.kind.endsWith('listing') && !members.some(([name]) => amounts.has(name))
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
const named: Readonly<Record<string, string>> = {
  expiresAt: 'until',
  forkRoyaltyBps: 'royalty of a fork',
  rentalPricePerDay: 'rent a day',
}

function memberText(name: string, value: string, currency: Currency): string {
  const words = named[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words} ${valueText(name, value, currency)}`
}

function valueText(name: string, value: string, currency: Currency): string {
  if (amounts.has(name)) return priceText(currency, value)
  if (name.endsWith('Bps')) return `${Number(value) / 100} %`
  return name === 'expiresAt' ? timeText(value) : value
}
