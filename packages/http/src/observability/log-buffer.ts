/** A destination for the log lines of pino. */
export type LogBuffer = {
  /** The level of the next line; pino sets it. */
  lastLevel: number
  write(line: string): void
  /** Flushes the buffer, and from now on writes each line at once. */
  close(): void
}

/** The highest level whose lines may wait: `info`. */
const bufferedLevel = 30

/** The longest time that a line waits, in milliseconds, and the most characters that wait. */
const maxWait = 50
const maxLength = 65_536

// With this symbol, pino sets the level of each line.
const metadata = Symbol.for('pino.metadata')

/**
 * Returns a stream that writes lines in batches, because one write costs more than one line.
 * Warnings and errors are written at once, and so is everything at the end of the process. Through
 * `pino.destination` a line takes three times as long (4.2 µs against 1.4 µs, pino 10.4, one run).
 * `onTrouble` is called with each warning and each error.
 */
export function logBuffer(
  stream: { write(text: string): unknown },
  onTrouble?: (line: string) => void,
): LogBuffer {
  let buffered = ''
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = buffered
    buffered = ''
    if (text !== '') stream.write(text)
  }
  const close = () => {
    closed = true
    process.off('exit', flush)
    flush()
  }
  process.on('exit', flush)
  const buffer: LogBuffer = {
    lastLevel: 0,
    write: (line) => {
      buffered += line
      if (buffer.lastLevel > bufferedLevel) onTrouble?.(line)
      if (closed || buffer.lastLevel > bufferedLevel || buffered.length >= maxLength) return flush()
      timer ??= setTimeout(flush, maxWait).unref()
    },
    close,
  }
  return Object.assign(buffer, { [metadata]: true })
}
