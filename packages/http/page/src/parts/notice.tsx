import type { ComponentChildren, JSX } from 'preact'
import type { Problem } from '../api/problem.ts'

/** Shows a problem, where there is one: the message, the remedy and the code. */
export function ProblemNotice({
  problem,
  children,
}: {
  readonly problem: Problem | undefined
  readonly children?: ComponentChildren
}): JSX.Element | undefined {
  if (problem === undefined) return undefined
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{problem.message}</strong> {problem.remedy}
      </p>
      {problem.code !== undefined && <p class="code">Reference: {problem.code}</p>}
      {children}
    </div>
  )
}

/** Shows a notice. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'good' | 'plain' | 'warn'
  readonly children: ComponentChildren
}): JSX.Element {
  return <div class={`notice ${kind}`}>{children}</div>
}
