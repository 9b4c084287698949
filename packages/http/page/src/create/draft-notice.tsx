import type { JSX } from 'preact'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { UserText } from '../parts/user-text.tsx'
import type { DraftState } from './use-draft.ts'

type Props = Pick<DraftState, 'source' | 'restoredAt' | 'isNotStored'> & {
  readonly discard: () => void
}

/** Shows that a draft is stored in this browser, and can be discarded. */
export function DraftNotice({ source, restoredAt, isNotStored, discard }: Props) {
  if (source === undefined) return undefined
  return (
    <Notice kind="plain">
      <p>
        {restoredAt === undefined ? (
          storedText(isNotStored)
        ) : (
          <>
            This is your draft of <UserText of={source.name} />, stored in this browser{' '}
            <Moment at={Math.floor(restoredAt / 1000)} />.
          </>
        )}
      </p>
      <p class="buttons">
        <button type="button" onClick={discard}>
          Discard the draft
        </button>
      </p>
    </Notice>
  )
}

const storedText = (isNotStored: boolean): string | JSX.Element =>
  isNotStored
    ? 'This browser stores no drafts: what you enter is lost when you leave this page.'
    : 'The draft is stored in this browser, unencrypted, until it is sealed or discarded.'
