/** Takes log lines, as pino writes them. */
export type LineBuffer = {
  /** The level of the line that is written next; pino sets it. */
  lastLevel: number
  write(line: string): void
  /** Writes what is held, and from now on each line at once. */
  close(): void
}

/** The highest level whose lines may wait: that of information. */
const patientLevel = 30

/** How long a line may wait for others, in milliseconds, and how many characters of them. */
const longestWait = 50
const fullAt = 65_536

// Asks pino for the level of each line.
const metadata = Symbol.for('pino.metadata')

/**
 * Returns a stream that hands lines on together, for writing each costs more than making it.
 * Warnings and errors do not wait, and neither does the end of the process.
 */
export function lineBuffer(stream: { write(text: string): unknown }): LineBuffer {
  let held = ''
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = held
    held = ''
    if (text !== '') stream.write(text)
  }
  const close = () => {
    closed = true
    process.off('exit', flush)
    flush()
  }
  process.on('exit', flush)
  const buffer: LineBuffer = {
    lastLevel: 0,
    write: (line) => {
      held += line
      if (closed || buffer.lastLevel > patientLevel || held.length >= fullAt) return flush()
      timer ??= setTimeout(flush, longestWait).unref()
    },
    close,
  }
  return Object.assign(buffer, { [metadata]: true })
}
