import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The clock of a process that is ahead of the clock of this one. */
export type MovedClock = {
  /** The environment of the process. */
  readonly environment: Readonly<Record<string, string>>
  /** Moves the clock of the process on, also while it runs. */
  readonly moveOn: (milliseconds: number) => void
}

/** Returns a clock for a process in a folder: weeks of silence are too long for a test to wait. */
export function movedClock(folder: string): MovedClock {
  const [ahead, preload] = [join(folder, 'ahead'), join(folder, 'moved-clock.mjs')]
  let milliseconds = 0
  const write = () => writeFileSync(ahead, `${milliseconds}`)
  write()
  writeFileSync(preload, program(ahead))
  return {
    environment: { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` },
    moveOn: (more) => {
      milliseconds += more
      write()
    },
  }
}

const program = (ahead: string) => `
import { readFileSync } from 'node:fs'
const now = Date.now.bind(Date)
Date.now = () => now() + Number(readFileSync(${JSON.stringify(ahead)}, 'utf8'))
`
