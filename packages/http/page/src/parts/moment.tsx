import { signal } from '@preact/signals'
import { formatCountdown, formatExactTime, formatRelativeTime } from '../text/moment.ts'
import { isExact } from './amount.tsx'

type Props = {
  /** Seconds since 1970. */
  readonly at: string | number
}

/** Shows a time relative to now; a pointer and a screen reader have the exact time, too. */
export function Moment({ at }: Props): JSX.Element {
  return <Time at={Number(at)} text={formatRelativeTime(Number(at), now.value)} />
}

/** Shows a countdown to a time. */
export function Countdown({ at }: Props): JSX.Element {
  const left = formatCountdown(Number(at), second.value)
  return <Time at={Number(at)} text={left === '' ? 'ended' : left} />
}

function Time({ at, text }: { readonly at: number; readonly text: string }): JSX.Element {
  const exact = formatExactTime(at)
  return (
    <time class="exact" dateTime={new Date(at * 1000).toISOString()} title={exact}>
      {text}
      <span class={isExact.value ? '' : 'unseen'}>, {exact}</span>
    </time>
  )
}

const seconds = () => Math.floor(Date.now() / 1000)

/** The time in seconds, updated often enough for a text such as `5 minutes ago`. */
export const now = signal(seconds())

/** The time in seconds, updated every second, for countdowns. */
const second = signal(seconds())

setInterval(() => {
  second.value = seconds()
}, 1000)

setInterval(() => {
  now.value = seconds()
}, 15_000)
