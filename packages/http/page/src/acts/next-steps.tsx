import type { JSX } from 'preact'
import { openRequest } from '../open/open-request.ts'
import { navigate } from '../route.ts'
import type { Act } from './act.ts'
import { isPurchase } from './purchase.ts'
import { useLineage } from './use-lineage.ts'

type Props = {
  readonly act: Act
  /** The token that a fork or a mint minted. */
  readonly minted: string | undefined
  readonly close: () => void
}

/** Offers what a visitor wants after an act: to open what they paid for, or to see the fork. */
export function NextSteps({ act, minted, close }: Props): JSX.Element {
  const opened = useOpenable(act, minted)
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
      {minted !== undefined && (
        <a
          class={opened === undefined ? 'button main' : 'button'}
          href={`/token/${minted}`}
          onClick={close}
        >
          {act.kind === 'mint' ? 'View and list for sale' : `View No. ${minted}`}
        </a>
      )}
      <button
        type="button"
        class={opened === undefined && minted === undefined ? 'main' : ''}
        onClick={close}
      >
        Done
      </button>
    </p>
  )
}

/** Returns the token that a purchase allows to open; a copy opens nothing. */
function useOpenable(act: Act, minted: string | undefined): string | undefined {
  const originality = useLineage(act)?.token.originality
  if (!isPurchase(act) || originality === undefined || originality === 'copied') return undefined
  return act.kind === 'fork' ? minted : act.tokenId
}
