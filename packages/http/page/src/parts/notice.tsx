import type { ComponentChildren } from 'preact'
import type { Problem } from '../api/problem.ts'
import type { Resource } from '../api/use-resource.ts'
import { ButtonLine } from './section.tsx'

type ProblemProps = { readonly problem: Problem | undefined; readonly children?: ComponentChildren }

/** Shows a problem, where there is one: the message, the remedy and the code. */
export function ProblemNotice({ problem, children }: ProblemProps): JSX.Element | undefined {
  if (problem === undefined) return undefined
  // What a person decided is no alarm, nor is a number that nobody has.
  const isCalm = problem.code === 'wallet/declined' || problem.code === 'token/not-found'
  return (
    <div class={isCalm ? 'notice plain' : 'notice bad'} role={isCalm ? 'status' : 'alert'}>
      <p>
        <strong>{problem.message}</strong> {problem.remedy}
      </p>
      {problem.code !== undefined && !isCalm && <p class="code">Reference: {problem.code}</p>}
      {children}
    </div>
  )
}

type UnreadProps = {
  /** The part of the page: `The history`. */
  readonly what: string
  readonly of: Pick<Resource<unknown>, 'problem' | 'reload'>
}

/** Says that a part of a page could not be loaded, where it could not, and tries again on request. */
export function Unread({ what, of: { problem, reload } }: UnreadProps): JSX.Element | undefined {
  if (problem === undefined) return undefined
  return (
    <NoticeBox kind="plain">
      <p role="status">
        <strong>{what} could not be loaded.</strong>{' '}
        {problem.isRetryable
          ? 'The rest of this page is complete, and this part is tried again by itself.'
          : problem.remedy}
      </p>
      <ButtonLine name="Try again now" onClick={reload} />
    </NoticeBox>
  )
}

type NoticeProps = {
  readonly kind: 'good' | 'plain' | 'warn'
  readonly children: ComponentChildren
}

/** Shows a notice of several parts. */
export function NoticeBox({ kind, children }: NoticeProps): JSX.Element {
  return <div class={`notice ${kind}`}>{children}</div>
}

type TextProps = NoticeProps & { readonly role?: 'alert' }

/** Shows a notice of one paragraph. */
export const Notice = ({ kind, role, children }: TextProps): JSX.Element => (
  <NoticeBox kind={kind}>
    <p role={role}>{children}</p>
  </NoticeBox>
)
