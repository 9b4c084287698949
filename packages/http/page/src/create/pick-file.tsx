import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { Sample } from '../parts/sample.tsx'
import { Words } from '../parts/user-text.tsx'
import { byteWords } from '../views/provenance-facts.tsx'
import { type Source, sourceOf } from './source.ts'

type Props = {
  readonly source: Source | undefined
  readonly setSource: (source: Source | undefined) => void
}

/** Takes the file, or the text, that becomes a memory. */
export function Pick({ source, setSource }: Props): JSX.Element {
  const [problem, setProblem] = useState<Problem>()
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    try {
      const found = sourceOf(file.name, new Uint8Array(await file.arrayBuffer()))
      setProblem(undefined)
      setSource(found)
      announce(`${file.name} is read.`)
    } catch (error) {
      setSource(undefined)
      setProblem(problemOf(error))
    }
  }
  return (
    <section class="panel" aria-labelledby="what">
      <h2 id="what">1. What is remembered</h2>
      <DropZone take={take} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Paste take={take} />
      {source !== undefined && <Read source={source} />}
    </section>
  )
}

type Take = { readonly take: (file: File | undefined) => Promise<void> }

function DropZone({ take }: Take): JSX.Element {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer?.files[0])
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
        <strong>Drop a file here</strong> or choose one: JSON, Markdown, any text
      </span>
      <input
        type="file"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0])
        }}
      />
    </label>
  )
}

function Paste({ take }: Take): JSX.Element {
  const [text, setText] = useState('')
  return (
    <details>
      <summary>Paste JSON or text instead</summary>
      <label class="field">
        <span>The text</span>
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
        onClick={() => take(new File([text], 'pasted.txt'))}
      >
        Use this text
      </button>
    </details>
  )
}

const enough = 400

function Read({ source }: { readonly source: Source }): JSX.Element {
  const { name, data, how } = source
  return (
    <>
      <p>
        <strong>
          <Words of={name} />
        </strong>
        , {byteWords(new Blob([data]).size)}. {how}
      </p>
      <Sample
        text={data.length > enough ? `${data.slice(0, enough)}…` : data}
        name="Beginning of the file"
      />
    </>
  )
}
