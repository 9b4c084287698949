import type { Progress } from '../../client/transport/decode-response.ts'
import type { Output } from './output.ts'
import { isRichTerminal, type Terminal } from './terminal.ts'

// Smaller transfers end before a person can read the bar.
const smallest = 1_000_000

/** A progress bar on the last line of a terminal. */
type ProgressBar = {
  readonly onProgress: (progress: Progress) => void
  /** Removes the bar. */
  readonly clear: () => void
}

/** Returns a bar that shows the progress of a transfer; without colours it shows nothing. */
export function progressBar(terminal: Terminal, { json }: Pick<Output, 'json'>): ProgressBar {
  const { stderr } = terminal
  if (json || !isRichTerminal(terminal, stderr))
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
