import { signal } from '@preact/signals'
import { parseOr } from './text/parse-or.ts'

const [listKey, alertsKey] = ['heirloom.watched', 'heirloom.alerts']

const pricesKey = 'heirloom.watched-prices'

/** The most memories that are watched. */
export const mostWatched = 200

/** Parses a stored watch list; anything that is no token number is left out. */
export function parseWatchList(text: string | null): readonly string[] {
  const parsed = parseOr<unknown>(text, [])
  const ids = (Array.isArray(parsed) ? parsed : []).filter(
    (it): it is string => /^(0|[1-9]\d{0,77})$/.test(String(it)) && typeof it === 'string',
  )
  return [...new Set(ids)].slice(0, mostWatched)
}

/** The numbers of the watched tokens, the last one first; they are kept in this browser alone. */
export const watched = signal(parseWatchList(localStorage.getItem(listKey)))

/** Parses the stored prices of watched memories; anything that is no text is left out. */
export function parsePrices(text: string | null): Readonly<Record<string, string>> {
  const all = Object.entries(parseOr<object | null>(text, null) ?? {})
  return Object.fromEntries(all.filter(([, price]) => typeof price === 'string'))
}

/** The price of each watched memory when this browser first saw it, in words. */
export const seenPrices = signal(parsePrices(localStorage.getItem(pricesKey)))

/** Remembers what a watched memory costs; forgets those that are watched no more. */
export function rememberPrice(tokenId: string, price: string): void {
  const all = Object.entries({ ...seenPrices.value, [tokenId]: price })
  seenPrices.value = Object.fromEntries(all.filter(([id]) => watched.value.includes(id)))
  localStorage.setItem(pricesKey, JSON.stringify(seenPrices.value))
}

/** Watches a memory, or watches it no more. */
export function toggleWatched(tokenId: string): void {
  const others = watched.value.filter((it) => it !== tokenId)
  const isNew = others.length === watched.value.length
  watched.value = isNew ? [tokenId, ...others].slice(0, mostWatched) : others
  localStorage.setItem(listKey, JSON.stringify(watched.value))
}

const canNotify = 'Notification' in globalThis

/** Whether the browser shows a notification when something happens to a watched memory. */
export const hasAlerts = signal(
  canNotify && localStorage.getItem(alertsKey) === 'on' && Notification.permission === 'granted',
)

/** Whether this browser lets this page show notifications, once it is asked; it needs HTTPS or localhost. */
export const canAlert = canNotify && isSecureContext

/** Turns notifications on, if the visitor permits them, or off. */
export async function toggleAlerts(): Promise<void> {
  const isOn = !hasAlerts.value && (await Notification.requestPermission()) === 'granted'
  localStorage.setItem(alertsKey, isOn ? 'on' : 'off')
  hasAlerts.value = isOn
}
