import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { Sample } from '../parts/sample.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../views/provenance-facts.tsx'
import { readSource, type Source } from './source.ts'

type Props = {
  readonly source: Source | undefined
  readonly setSource: (source: Source | undefined) => void
}

/** Picks the file or text that becomes a memory. */
export function PickFile({ source, setSource }: Props): JSX.Element {
  const [problem, setProblem] = useState<Problem>()
  const load = async (file: File | undefined) => {
    if (file === undefined) return
    try {
      const found = readSource(file.name, new Uint8Array(await file.arrayBuffer()))
      setProblem(undefined)
      setSource(found)
      announce(`${file.name} is loaded.`)
    } catch (error) {
      setSource(undefined)
      setProblem(toProblem(error))
    }
  }
  return (
    <section class="panel" aria-labelledby="what">
      <h2 id="what">1. The file</h2>
      <DropZone load={load} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Paste load={load} />
      {source !== undefined && <SourceSummary source={source} />}
    </section>
  )
}

type Load = { readonly load: (file: File | undefined) => Promise<void> }

function DropZone({ load }: Load): JSX.Element {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    load(event.dataTransfer?.files[0])
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <label
      class={isOver ? 'drop over' : 'drop'}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
    >
      <span>
        <strong>Drop a file here</strong> or choose one: JSON, Markdown or any text
      </span>
      <input
        type="file"
        onChange={({ currentTarget }) => {
          load(currentTarget.files?.[0])
        }}
      />
    </label>
  )
}

function Paste({ load }: Load): JSX.Element {
  const [text, setText] = useState('')
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
      <button
        type="button"
        disabled={text.trim() === ''}
        onClick={() => load(new File([text], 'pasted.txt'))}
      >
        Use this text
      </button>
    </details>
  )
}

/** The length of the sample, in characters. */
const sampleLength = 400

function SourceSummary({ source }: { readonly source: Source }): JSX.Element {
  const { name, data, explanation } = source
  const size = useMemo(() => new Blob([data]).size, [data])
  return (
    <>
      <p>
        <strong>
          <UserText of={name} />
        </strong>
        , {formatBytes(size)}. {explanation}
      </p>
      <Sample
        text={data.length > sampleLength ? `${data.slice(0, sampleLength)}…` : data}
        name="Beginning of the file"
      />
    </>
  )
}
