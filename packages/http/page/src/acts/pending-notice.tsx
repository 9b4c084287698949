import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/section.tsx'
import { describeResult } from './act.ts'
import type { ActStage } from './act-stage.ts'
import { closedAct, openDialog, type PendingAct } from './pending-act.ts'
import { useSentAct } from './use-act.ts'

/** The time for which the result of an act is shown, in milliseconds. */
const shownFor = 10_000

const dismiss = () => {
  closedAct.value = undefined
}

/** Follows an act whose dialog was closed, and shows that it is pending, and then its result. */
export function PendingNotice({ pending }: { readonly pending: PendingAct }): JSX.Element {
  const { act } = pending
  const ref = useRef<HTMLElement>(null)
  const stage = useSentAct(pending)
  const isMined = stage.at === 'mined'
  useEffect(() => keepUncovered(ref.current), [])
  useEffect(() => {
    if (!isMined) return
    const timer = setTimeout(dismiss, shownFor)
    return () => clearTimeout(timer)
  }, [isMined])
  return (
    <aside class="pending" aria-label="Pending transaction" ref={ref}>
      <p role={stage.at === 'refused' ? 'alert' : undefined}>
        {isMined ? describeResult(act, stage.receipt) : describeStage(stage)}
      </p>
      {stage.at === 'sent' ? (
        <Button name="Check status" class="main" onClick={openDialog(act)} />
      ) : (
        <Button name="Close" onClick={dismiss} />
      )}
    </aside>
  )
}

function describeStage(stage: ActStage): string {
  if (stage.at === 'refused') return `${stage.problem.message} ${stage.problem.remedy}`
  const isDisconnected = stage.at === 'sent' && stage.isDisconnected
  return isDisconnected
    ? 'The server does not answer. What you sent is not lost.'
    : 'A transaction is pending.'
}

/** Scrolls the control that has the focus from under an element, which stays in its place. */
function keepUncovered(over: HTMLElement | null): () => void {
  const uncover = () => {
    const focused = document.activeElement
    const isControl = focused instanceof HTMLElement && focused.tabIndex >= 0
    if (isControl && over?.contains(focused) === false) focused.scrollIntoView({ block: 'nearest' })
  }
  uncover()
  addEventListener('focusin', uncover)
  return () => removeEventListener('focusin', uncover)
}
