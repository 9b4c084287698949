import type { Progress } from '../../client/transport/counted-body.ts'
import type { Output } from './output.ts'
import { isSeen, type Terminal } from './terminal.ts'

// What passes quicker than it can be read is not shown.
const smallest = 1_000_000

/** A bar on the last line of a terminal. */
type ProgressBar = {
  readonly onProgress: (progress: Progress) => void
  /** Leaves the line empty again. */
  readonly clear: () => void
}

/** Returns a bar that shows how far a memory has come, where a person sees it. */
export function progressBar(terminal: Terminal, { json }: Pick<Output, 'json'>): ProgressBar {
  const { stderr } = terminal
  if (json || !isSeen(terminal, stderr))
    return { onProgress: () => undefined, clear: () => undefined }
  let shown = ''
  const show = (line: string) => {
    if (line === shown) return
    shown = line
    stderr.write(`\r\u{1B}[K${line}`)
  }
  return {
    onProgress: (progress) => show(barOf(progress)),
    clear: () => show(''),
  }
}

const width = 30

function barOf({ phase, bytes, total }: Progress): string {
  if (total === undefined || total < smallest) return ''
  const done = Math.min(width, Math.floor((bytes / total) * width))
  const bar = `${'█'.repeat(done)}${'░'.repeat(width - done)}`
  return `${phase} ${bar} ${megabytes(bytes)} of ${megabytes(total)} MB`
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
