import type { JSX } from 'preact'
import { useAnswer } from '../api/use-answer.ts'
import { Loading } from '../parts/lazy.tsx'
import { UserText } from '../parts/user-text.tsx'
import type { ViewerCalls } from './use-viewer.ts'

type Props = { readonly calls: ViewerCalls; readonly node: number; readonly find: string }

/** Shows the blocks of an agent's memory that have a text, each under its label. */
export function BlocksView({ calls, node, find }: Props): JSX.Element {
  const { last: blocks } = useAnswer(() => calls.blocks({ node }), [node])
  if (blocks === undefined) return <Loading what="Reading the blocks" />
  const needle = find.toLowerCase()
  const found = blocks.filter(({ label, text }) =>
    `${label}\n${text}`.toLowerCase().includes(needle),
  )
  return (
    <ul class="blocks">
      {found.map((it) => (
        <li key={it.node}>
          <h3>
            <UserText of={it.label} />
          </h3>
          <p class="lines" dir="auto">
            {it.text}
          </p>
          {it.left > 0 && (
            <p class="hint">{it.left.toLocaleString('en')} more characters are not shown.</p>
          )}
        </li>
      ))}
    </ul>
  )
}
