import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { withFormats } from '../formats/with-formats.ts'
import { Loading } from '../parts/lazy.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { Sample } from '../parts/sample.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../views/provenance-facts.tsx'
import { WorkerFailure } from '../workers/worker-calls.ts'
import { DropZone } from './drop-zone.tsx'
import type { Choice, Imported, Source } from './source.ts'

type Props = {
  readonly source: Source | undefined
  readonly setSource: (source: Source | undefined) => void
}

/** Receives the files that a visitor chose. */
export type Load = { readonly load: (choice: Choice) => void }

type State =
  | { readonly at: 'waiting' }
  | { readonly at: 'reading' }
  | { readonly at: 'refused'; readonly problem: Problem }
  | {
      readonly at: 'broken'
      readonly broken: string
      /** Absent when the files cannot be sealed as texts either. */
      readonly sealAsText?: (() => void) | undefined
    }

/** Picks the files or the text that become a memory. */
export function PickFile({ source, setSource }: Props): JSX.Element {
  const [state, setState] = useState<State>({ at: 'waiting' })
  const load = async (choice: Choice, asText = false) => {
    if (choice.files.length === 0) return
    setState({ at: 'reading' })
    try {
      const imported = await withFormats((calls) => calls.importSource({ ...choice, asText }))
      setSource('source' in imported ? imported.source : undefined)
      setState(stateAfter(imported, () => load(choice, true)))
      if ('source' in imported) announce(`${imported.source.name} is loaded.`)
    } catch (error) {
      setSource(undefined)
      setState({ at: 'refused', problem: toImportProblem(error) })
    }
  }
  return (
    <section class="panel" aria-labelledby="what">
      <h2 id="what">1. The file</h2>
      <DropZone load={load} />
      {state.at === 'reading' && <Loading what="Reading and checking the file" />}
      {state.at === 'refused' && <ProblemNotice problem={state.problem} />}
      {state.at === 'broken' && <Broken {...state} />}
      <Paste load={load} />
      {source !== undefined && state.at === 'waiting' && <SourceSummary source={source} />}
    </section>
  )
}

function stateAfter(imported: Imported, sealAsText: () => void): State {
  if ('source' in imported) return { at: 'waiting' }
  const { broken, canBeText } = imported
  return { at: 'broken', broken, ...(canBeText && { sealAsText }) }
}

const toImportProblem = (error: unknown): Problem =>
  error instanceof WorkerFailure
    ? new Problem(error.message, 'Choose another file.', { cause: error })
    : toProblem(error)

function Broken({ broken, sealAsText }: Omit<Extract<State, { at: 'broken' }>, 'at'>): JSX.Element {
  return (
    <Notice kind="warn">
      <p role="alert">
        <strong>
          <UserText of={broken} />
        </strong>{' '}
        {sealAsText === undefined
          ? 'Choose another one.'
          : 'Correct it, or choose a whole copy. You can also seal it as the text it is; then no program can import it.'}
      </p>
      {sealAsText !== undefined && (
        <p class="buttons">
          <button type="button" onClick={sealAsText}>
            Seal it as text
          </button>
        </p>
      )}
    </Notice>
  )
}

function Paste({ load }: Load): JSX.Element {
  const [text, setText] = useState('')
  const use = () => {
    // The name decides how it is read, so a broken JSON text does not become a note.
    const path = /^\s*[{[]/.test(text) ? 'pasted.json' : 'pasted.txt'
    load({ kind: 'text', name: 'Pasted text', files: [{ path, file: new Blob([text]) }] })
  }
  return (
    <details>
      <summary>Paste JSON or text instead</summary>
      <label class="field">
        <span>Text</span>
        <textarea
          rows={6}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="button" disabled={text.trim() === ''} onClick={use}>
        Use this text
      </button>
    </details>
  )
}

function SourceSummary({ source }: { readonly source: Source }): JSX.Element {
  const { name, size, data, beginning, explanation, left } = source
  return (
    <>
      <p>
        <strong>
          <UserText of={name} />
        </strong>
        , {formatBytes(size)}. <UserText of={explanation} />
      </p>
      {left.length > 0 && (
        <Notice kind="plain">
          <p>Not included:</p>
          <ul>
            {left.slice(0, 20).map(({ what, why }) => (
              <li key={what}>
                <UserText of={what} />: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Sample
        text={beginning.length < data.size ? `${beginning}…` : beginning}
        name="Beginning of the file"
      />
    </>
  )
}
