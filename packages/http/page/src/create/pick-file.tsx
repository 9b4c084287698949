import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Problem, toProblem } from '../api/problem.ts'
import { withFormats } from '../formats/with-formats.ts'
import { announce } from '../parts/announce.ts'
import { TextField } from '../parts/form-fields.tsx'
import { Loading } from '../parts/lazy.tsx'
import { NoticeBox, ProblemNotice } from '../parts/notice.tsx'
import { Button, ButtonLine, Section } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { BoldText, UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../token/provenance-facts.tsx'
import { WorkerFailure } from '../worker-calls.ts'
import type { Choice, Imported, Source } from './draft.ts'
import { DropZone, type Load } from './drop-zone.tsx'

type Picking = Readonly<ReturnType<typeof usePicking>>

type Props = { readonly source: Source | undefined; readonly picking: Picking }

/** Picks the files or the text that become a memory. */
export function PickFile({ source, picking: { picked, load } }: Props): JSX.Element {
  const stays = source !== undefined && (
    <p>
      <UserText of={source.name} /> stays chosen.
    </p>
  )
  return (
    <Section id="what" title="1. The file" class="panel">
      <DropZone load={load} />
      {picked.at === 'reading' && <Loading what="Reading and checking the file" />}
      {picked.at === 'refused' && <ProblemNotice problem={picked.problem}>{stays}</ProblemNotice>}
      {picked.at === 'broken' && <Broken {...picked}>{stays}</Broken>}
      <Paste load={load} />
      {source !== undefined && picked.at !== 'reading' && <SourceSummary source={source} />}
    </Section>
  )
}

type BrokenProps = Omit<Extract<Picked, { at: 'broken' }>, 'at'> & {
  readonly children: ComponentChildren
}

function Broken({ broken, sealAsText, children }: BrokenProps): JSX.Element {
  return (
    <NoticeBox kind="warn">
      <p role="alert">
        <BoldText of={broken} />{' '}
        {sealAsText === undefined
          ? 'Choose another one.'
          : 'Correct it, or choose a whole copy. You can also seal it as the text it is; then no program can import it.'}
      </p>
      {children}
      {sealAsText !== undefined && <ButtonLine name="Seal it as text" onClick={sealAsText} />}
    </NoticeBox>
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
      <TextField name="Text" rows={6} spellcheck={false} text={text} setText={setText} />
      <Button name="Use this text" disabled={text.trim() === ''} onClick={use} />
    </details>
  )
}

function SourceSummary({ source }: { readonly source: Source }): JSX.Element {
  const { name, size, data, beginning, explanation, left, addresses = [] } = source
  return (
    <>
      <p class="chosen">
        <BoldText of={name} />, {formatBytes(size)}. <UserText of={explanation} />
        {addresses.length > 0 &&
          ` It names e-mail addresses (${addresses.length}), such as ${addresses[0]}: whoever opens it reads them.`}
      </p>
      {left.length > 0 && (
        <NoticeBox kind="plain">
          <p>Not included:</p>
          <ul>
            {left.slice(0, 20).map(({ what, why }) => (
              <li key={what}>
                <UserText of={what} />: {why}
              </li>
            ))}
          </ul>
        </NoticeBox>
      )}
      <Sample
        text={beginning.length < data.size ? `${beginning}…` : beginning}
        name="Beginning of the file"
      />
    </>
  )
}

/** The progress of reading files that were chosen. */
type Picked =
  | { readonly at: 'waiting' }
  | { readonly at: 'reading'; readonly name: string }
  | { readonly at: 'refused'; readonly problem: Problem }
  | {
      readonly at: 'broken'
      readonly broken: string
      /** Absent when the files cannot be sealed as texts either. */
      readonly sealAsText?: (() => void) | undefined
    }

/** Reads chosen files for a draft; of those that are chosen one after the other, the last. */
export function usePicking(setSource: (source: Source) => void) {
  const [picked, setPicked] = useState<Picked>({ at: 'waiting' })
  const turn = useRef(0)
  const load = async (choice: Choice, asText = false) => {
    if (choice.files.length === 0) return
    turn.current += 1
    const own = turn.current
    setPicked({ at: 'reading', name: choice.name })
    const read = await readChoice(choice, asText)
    if (turn.current !== own) return
    if (!('source' in read)) return setPicked(toPicked(read, () => load(choice, true)))
    setSource(read.source)
    setPicked({ at: 'waiting' })
    announce(`${read.source.name} is loaded.`)
  }
  /** Forgets the files that are read, and the problem of those before. */
  const cancel = () => {
    turn.current += 1
    setPicked({ at: 'waiting' })
  }
  return { picked, load, cancel }
}

type Unread = Exclude<Imported, { readonly source: Source }> | { readonly problem: Problem }

const readChoice = (choice: Choice, asText: boolean): Promise<Imported | Unread> =>
  withFormats((calls) => calls.importSource({ ...choice, asText })).catch((error: unknown) => ({
    problem: toImportProblem(error),
  }))

function toPicked(unread: Unread, sealAsText: () => void): Picked {
  if ('problem' in unread) return { at: 'refused', problem: unread.problem }
  const { broken, canBeText } = unread
  return { at: 'broken', broken, ...(canBeText && { sealAsText }) }
}

const toImportProblem = (error: unknown): Problem =>
  error instanceof WorkerFailure
    ? new Problem(error.message, 'Choose another file.', { cause: error })
    : toProblem(error)
