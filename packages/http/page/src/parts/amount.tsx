import type { JSX } from 'preact'
import { ether, shortEther } from '../text/ether.ts'

type Props = {
  readonly wei: bigint | string
  /** Whether it stands inside a link or a button, which has the focus itself. */
  readonly isInside?: boolean
}

/** An amount in ether; the wei of it show when it is pointed at or has the focus. */
export function Amount({ wei, isInside = false }: Props): JSX.Element {
  const amount = BigInt(wei)
  const exact = `${amount} wei`
  return (
    <data
      class="exact"
      value={amount.toString()}
      title={exact}
      data-exact={exact}
      {...(!isInside && { tabIndex: 0 })}
    >
      <span aria-hidden="true">{shortEther(amount)}</span>
      <span class="unseen">
        {ether(amount)} ether, {exact}
      </span>
    </data>
  )
}
