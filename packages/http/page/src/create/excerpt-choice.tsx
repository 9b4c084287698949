import type { JSX } from 'preact'
import type { ListedValue } from '../formats/list-values.ts'
import { UserText } from '../parts/user-text.tsx'
import { type Draft, parseExcerpts } from './draft.ts'

type Props = {
  readonly values: readonly ListedValue[]
  readonly draft: Draft
  readonly set: (changed: Partial<Draft>) => void
}

/** Lets the first values of a memory be chosen, so that nobody has to type their JSON pointers. */
export function ExcerptChoice({ values, draft, set }: Props): JSX.Element | undefined {
  if (values.length === 0) return undefined
  const chosen = parseExcerpts(draft)
  const toggle = (pointer: string) => {
    const others = chosen.filter((it) => it !== pointer)
    const changed = others.length < chosen.length ? others : [...chosen, pointer]
    set({ excerpts: changed.join('\n') })
  }
  return (
    <details>
      <summary>Choose from the first values of the memory</summary>
      {values.map(({ pointer, beginning }) => (
        <label class="check" key={pointer}>
          <input
            type="checkbox"
            checked={chosen.includes(pointer)}
            onChange={() => toggle(pointer)}
          />
          <span>
            <code class="wrap">{pointer}</code> <UserText of={beginning} />
          </span>
        </label>
      ))}
    </details>
  )
}
