import type { JSX } from 'preact'
import { now, second } from '../now.ts'
import { formatCountdown, formatExactTime, formatRelativeTime } from '../text/moment.ts'

type Props = {
  /** Seconds since 1970. */
  readonly at: string | number
  /** Whether it is inside a link or a button, which takes the focus. */
  readonly isInside?: boolean
}

/** Shows a time relative to now; hover and focus show the exact time. */
export function Moment({ at, isInside = false }: Props): JSX.Element {
  return (
    <Time at={Number(at)} text={formatRelativeTime(Number(at), now.value)} isInside={isInside} />
  )
}

/** Shows a countdown to a time. */
export function Countdown({ at }: Pick<Props, 'at'>): JSX.Element {
  const left = formatCountdown(Number(at), second.value)
  return <Time at={Number(at)} text={left === '' ? 'ended' : left} isInside={false} />
}

function Time({
  at,
  text,
  isInside,
}: {
  at: number
  text: string
  isInside: boolean
}): JSX.Element {
  const exact = formatExactTime(at)
  return (
    <time
      class="exact"
      dateTime={new Date(at * 1000).toISOString()}
      title={exact}
      data-exact={exact}
      {...(!isInside && { tabIndex: 0 })}
    >
      {text}
      <span class="unseen">, {exact}</span>
    </time>
  )
}
