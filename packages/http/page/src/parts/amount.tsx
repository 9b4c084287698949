import type { JSX } from 'preact'
import { formatEther, formatShortEther } from '../text/ether.ts'

type Props = {
  readonly wei: bigint | string
  /** Whether it is inside a link or a button, which takes the focus. */
  readonly isInside?: boolean
}

/** Shows an amount in ether; hover and focus show the exact wei. */
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
      <span aria-hidden="true">{formatShortEther(amount)}</span>
      <span class="unseen">
        {formatEther(amount)} ether, {exact}
      </span>
    </data>
  )
}
