import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { lazy } from '../parts/lazy.tsx'
import type { Act } from './act.ts'
import { getTitle } from './act-title.ts'
import { openAct } from './pending-act.ts'

const ActSteps = lazy<{ readonly act: Act; readonly close: () => void }>(
  async () => (await import('./act-steps.tsx')).ActSteps,
)

const close = () => {
  openAct.value = undefined
}

/** The dialog of an act, which opens at once; its contents are loaded when they are first needed. */
export function ActDialog({ act }: { readonly act: Act }): JSX.Element {
  return (
    <Dialog title={getTitle(act)} onClose={close}>
      <ActSteps act={act} close={close} />
    </Dialog>
  )
}
