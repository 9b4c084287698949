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

/** Returns an event as one line: when, which token, what, and each value that is set. */
export function eventText(event: StreamEvent): Line {
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
  const token = event.tokenId === '0' ? '' : ` of token ${event.tokenId}`
  return [
    { style: 'dim', text: timeText(event.timestamp) },
    `  ${isTakenDown ? 'end of the listing' : event.kind}${token}`,
    words.length === 0 ? '' : `: ${words.join(', ')}`,
  ]
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
