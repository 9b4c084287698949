import type { JSX } from 'preact'
import { now, second } from '../now.ts'
import { countdown, exactly, fromNow } from '../text/moment.ts'

type Props = {
  /** Seconds since 1970. */
  readonly at: string | number
  /** Whether it stands inside a link or a button, which has the focus itself. */
  readonly isInside?: boolean
}

/** A time told from now; the exact one shows when it is pointed at or has the focus. */
export function Moment({ at, isInside = false }: Props): JSX.Element {
  return <Time at={Number(at)} text={fromNow(Number(at), now.value)} isInside={isInside} />
}

/** How long it is until a time, as it runs out. */
export function Countdown({ at }: Pick<Props, 'at'>): JSX.Element {
  const left = countdown(Number(at), second.value)
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
  const exact = exactly(at)
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
