import type { Excerpt } from '@heirloom/core'
import { useMemo } from 'preact/hooks'
import { toProblem } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import type { CheckedExcerpts, ListedValue } from '../formats/check-excerpts.ts'
import { withFormats } from '../formats/with-formats.ts'
import { Check } from '../parts/form-fields.tsx'
import { UserText } from '../parts/user-text.tsx'
import {
  buildMetadata,
  type Draft,
  isJsonPointer,
  listExcerpts,
  mostExcerpts,
  parseExcerpts,
  type Source,
} from './draft.ts'

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
        <Check
          key={pointer}
          isChecked={chosen.includes(pointer)}
          setChecked={() => toggle(pointer)}
        >
          <code class="wrap">{pointer}</code> <UserText of={beginning} />
        </Check>
      ))}
    </details>
  )
}

/** The pause in typing before the values are searched, in milliseconds. */
const debounce = 300

const none: CheckedExcerpts = { values: [], problems: [] }

/**
 * Finds the values that a draft shows with a proof: all that will be shown, in order, each `…` until it
 * is known; and what is checked, once all are.
 */
export function useExcerpts(source: Source | undefined, draft: Draft) {
  const metadata = source === undefined ? '{}' : (source.metadata ?? buildMetadata(draft, source))
  const { isPublic, excerpts, showsFacts } = draft
  // Metadata may be long, and other fields are typed in.
  const pointers = useMemo(
    () =>
      listExcerpts({ isPublic, excerpts, showsFacts }, metadata)
        .filter(isJsonPointer)
        .slice(0, mostExcerpts),
    [isPublic, excerpts, showsFacts, metadata],
  )
  const hasAny = source !== undefined && pointers.length > 0
  const { fresh: checked } = useAnswer(
    async () => (hasAny ? checkIn(source, metadata, pointers) : none),
    [source, metadata, pointers.join('\n')],
    debounce,
  )
  return hasAny ? { shown: shownOf(pointers, checked), checked } : { shown: [], checked: none }
}

async function checkIn(
  { data }: Source,
  metadata: string,
  pointers: readonly string[],
): Promise<CheckedExcerpts> {
  const document = new Blob(['{"data":', data, `,"metadata":${metadata}}`])
  return withFormats((calls) => calls.checkExcerpts({ document, pointers })).catch(
    (error: unknown) => ({ values: [], problems: [toProblem(error).message] }),
  )
}

/** Has a place for each value from the start, so that nothing moves when the values come. */
function shownOf(pointers: readonly string[], checked?: CheckedExcerpts): readonly Excerpt[] {
  if (checked !== undefined) return checked.values
  return pointers.map((pointer) => ({ pointer, value: '…' }))
}
