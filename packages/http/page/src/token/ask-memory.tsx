import type { Answer } from '@heirloom/core'
import { useState } from 'preact/hooks'
import { misspeltNote } from '../../../src/api/nearest-name.ts'
import type { Excerpts } from '../../../src/client/responses.ts'
import { Form, Submit, TextField, useText } from '../parts/form-fields.tsx'
import { UserText } from '../parts/user-text.tsx'
import type { Answered, PathHandlers } from '../viewer/path-worker.ts'
import { inWorker } from '../worker-calls.ts'

type Props = {
  /** Names the document, as in `the whole memory`. */
  readonly what: string
  /** The document that answers. */
  readonly of: Blob
  /** Returns where in the memory a place of the document is; absent where it is the same. */
  readonly placeOf?: (pointer: string) => string
}

type State = { readonly isRunning?: boolean; readonly found?: Answered; readonly problem?: string }

/** Lets a visitor ask a memory a question; what answers is found in this browser, and loaded then. */
export function AskMemory({ what, of, placeOf = (it) => it }: Props): JSX.Element {
  const question = useText()
  const [{ isRunning = false, found, problem = '' }, setState] = useState<State>({})
  const submit = () => {
    if (question.text.trim() === '' || isRunning) return
    setState({ isRunning: true })
    inRecallWorker((calls) => calls.ask({ document: of, question: question.text })).then(
      (it) => setState({ found: it }),
      (error: unknown) => setState({ problem: String(error) }),
    )
  }
  return (
    <>
      <Form class="ask" submit={submit}>
        <TextField
          name={`Ask ${what}`}
          type="search"
          maxLength={200}
          placeholder="What calms an angry customer?"
          {...question}
        />
        <Submit name="Ask" />
      </Form>
      <div role="status">
        {isRunning && <p class="hint">Looking for it…</p>}
        {problem !== '' && <p>{problem}</p>}
        {found !== undefined && <p class="hint">{noteOn(found, what)}</p>}
        {found !== undefined && <Answers of={found.answers} placeOf={placeOf} />}
      </div>
    </>
  )
}

/** Says that nothing answers, and which words no item has. */
const noteOn = ({ answers, misspelt }: Answered, what: string) =>
  [answers.length === 0 ? `Nothing in ${what} answers that.` : '', misspeltNote(misspelt)].join(' ')

type AnswersProps = Required<Pick<Props, 'placeOf'>> & { readonly of: readonly Answer[] }

function Answers({ of, placeOf }: AnswersProps): JSX.Element | undefined {
  if (of.length === 0) return undefined
  return (
    <ol class="answers">
      {of.map(({ text, pointer = '', who, when }) => (
        <li key={`${pointer} ${text}`}>
          <blockquote dir="auto">
            <UserText of={text} />
          </blockquote>
          <p class="number">
            {[who, when].map((it) => it !== undefined && `${it} · `)}
            <code class="wrap">{placeOf(pointer)}</code>
          </p>
        </li>
      ))}
    </ol>
  )
}

const inRecallWorker = inWorker<PathHandlers>({
  start: () => new Worker(new URL('../viewer/path-worker.ts', import.meta.url), { type: 'module' }),
  limit: 15_000,
  tooLong: 'The memory is too long to ask here. Ask it in your agent.',
})

/** Returns the excerpts of a memory as a document that is asked, and where each of its values is in the memory. */
export function excerptsDocument(excerpts: Excerpts['excerpts']): Required<Omit<Props, 'what'>> {
  const values = excerpts.map(({ value }) => `${value}`)
  return {
    of: new Blob([`{"data":[${values}]}`]),
    placeOf: (pointer) =>
      pointer.replace(/^\/data\/(\d+)/, (_, at) => excerpts[Number(at)]?.pointer ?? ''),
  }
}
