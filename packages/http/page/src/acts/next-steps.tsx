import type { JSX } from 'preact'
import { openRequest } from '../open/open-request.ts'
import { navigate } from '../route.ts'
import type { Act } from './act.ts'
import { isPurchase } from './purchase.ts'
import { useLineage } from './use-lineage.ts'

type Props = {
  readonly act: Act
  /** The token that a fork minted. */
  readonly child: string | undefined
  readonly close: () => void
}

/** Offers what a visitor wants after an act: to open what they paid for, or to see the fork. */
export function NextSteps({ act, child, close }: Props): JSX.Element {
  const opened = useOpenable(act, child)
  const open = () => {
    if (opened === undefined) return
    const path = `/token/${opened}`
    close()
    openRequest.value = opened
    if (location.pathname !== path) navigate(path)
  }
  return (
    <p class="buttons">
      {opened !== undefined && (
        <button type="button" class="main" onClick={open}>
          Open it now
        </button>
      )}
      {child !== undefined && (
        <a
          class={opened === undefined ? 'button main' : 'button'}
          href={`/token/${child}`}
          onClick={close}
        >
          View No. {child}
        </a>
      )}
      <button
        type="button"
        class={opened === undefined && child === undefined ? 'main' : ''}
        onClick={close}
      >
        Done
      </button>
    </p>
  )
}

/** Returns the token that a purchase allows to open; a copy opens nothing. */
function useOpenable(act: Act, child: string | undefined): string | undefined {
  const originality = useLineage(act)?.token.originality
  if (!isPurchase(act) || originality === undefined || originality === 'copied') return undefined
  return act.kind === 'fork' ? child : act.tokenId
}
