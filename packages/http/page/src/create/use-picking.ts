import { useRef, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { withFormats } from '../formats/with-formats.ts'
import { WorkerFailure } from '../workers/worker-calls.ts'
import type { Choice, Imported, Source } from './source.ts'

/** The progress of reading files that were chosen. */
export type Picked =
  | { readonly at: 'waiting' }
  | { readonly at: 'reading'; readonly name: string }
  | { readonly at: 'refused'; readonly problem: Problem }
  | {
      readonly at: 'broken'
      readonly broken: string
      /** Absent when the files cannot be sealed as texts either. */
      readonly sealAsText?: (() => void) | undefined
    }

/** Reads the files that a visitor chooses. */
export type Picking = {
  readonly picked: Picked
  readonly load: (choice: Choice) => void
  /** Forgets the files that are read, and the problem of those before. */
  readonly cancel: () => void
}

/** Reads chosen files for a draft; of those that are chosen one after the other, the last. */
export function usePicking(setSource: (source: Source) => void): Picking {
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
