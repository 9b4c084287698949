/** The units of relative times, with their seconds and from how many of them they are used. */
const steps = [
  ['year', 31_536_000, 2],
  ['month', 2_592_000, 2],
  ['day', 86_400, 1],
  ['hour', 3600, 1],
  ['minute', 60, 1],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const formatter = (style: Intl.DateTimeFormatOptions): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    hourCycle: 'h23',
    ...style,
  })
  return (at) => format.format(at * 1000)
}

/** The tolerated difference of the clocks of a chain and a browser, in seconds. */
const tolerance = 30

/**
 * Formats a time in seconds relative to now: `5 minutes ago`, `in 7 days`. A time to come is rounded,
 * so that a rental of seven days does not end `in 6 days` from its first second on.
 */
export function formatRelativeTime(at: number, now: number): string {
  const distance = at - now
  const step = steps.find(([, seconds, least]) => Math.abs(distance) >= least * seconds)
  if (step === undefined) return distance > tolerance ? 'in less than a minute' : 'just now'
  const count = distance / step[1]
  return relative.format(count > 0 ? Math.round(count) : Math.ceil(count), step[0])
}

/** Formats a time in seconds as date and time of day: `21 Nov 2026, 16:44:38 UTC`. */
export const formatExactTime = formatter({ timeStyle: 'long' })

/** Formats a time in seconds as a date: `21 Nov 2026`. */
export const formatDate = formatter({})

/** Formats a time in seconds as the day of it in UTC: `21 Nov 2026`. */
export const formatDay = formatter({ timeZone: 'UTC' })

/** Formats a time in seconds as a date with the time of day: `21 Nov 2026, 16:44`. */
export const formatTime = formatter({ timeStyle: 'short' })

/** Formats the begin and the end of a time axis as dates, with the time of day if it is the same date. */
export function formatSpan(begin: number, end: number): readonly [string, string] {
  const isOneDay = formatDate(begin) === formatDate(end)
  const format = isOneDay ? formatTime : formatDate
  return [format(begin), format(end)]
}

/** Formats the time left in its two largest units: `6 d 23 h`; empty when it is over. */
export function formatCountdown(until: number, now: number): string {
  const left = Math.max(0, until - now)
  const parts = [
    [Math.floor(left / 86_400), 'd'],
    [Math.floor(left / 3600) % 24, 'h'],
    [Math.floor(left / 60) % 60, 'min'],
    [left % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return ''
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
