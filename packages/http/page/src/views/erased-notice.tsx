import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'

/** Says that a memory was erased, before anything is paid for its token. */
export function ErasedNotice({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { erasedAt, listing } = token
  if (erasedAt === null) return undefined
  return (
    <Notice kind="warn">
      <p>
        <strong>Its memory was erased</strong> for its owner, <Moment at={erasedAt} />. Nobody can
        open this token, and nothing brings the memory back.
        {listing !== null && ' The chain still has a listing of it: do not pay for it.'}
      </p>
    </Notice>
  )
}
