import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { Sample } from '../parts/sample.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../views/provenance-facts.tsx'
import { DropZone } from './drop-zone.tsx'
import type { Source } from './source.ts'
import type { Picked, Picking } from './use-picking.ts'

type Props = {
  readonly source: Source | undefined
  readonly picking: Picking
}

/** Receives the files that a visitor chose. */
export type Load = Pick<Picking, 'load'>

/** Picks the files or the text that become a memory. */
export function PickFile({ source, picking: { picked, load } }: Props): JSX.Element {
  const stays = source !== undefined && (
    <p>
      <UserText of={source.name} /> stays chosen.
    </p>
  )
  return (
    <section class="panel" aria-labelledby="what">
      <h2 id="what">1. The file</h2>
      <DropZone load={load} />
      {picked.at === 'reading' && <Loading what="Reading and checking the file" />}
      {picked.at === 'refused' && <ProblemNotice problem={picked.problem}>{stays}</ProblemNotice>}
      {picked.at === 'broken' && <Broken {...picked}>{stays}</Broken>}
      <Paste load={load} />
      {source !== undefined && picked.at !== 'reading' && <SourceSummary source={source} />}
    </section>
  )
}

type BrokenProps = Omit<Extract<Picked, { at: 'broken' }>, 'at'> & {
  readonly children: ComponentChildren
}

function Broken({ broken, sealAsText, children }: BrokenProps): JSX.Element {
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
      {children}
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
