import { readFileSync } from 'node:fs'

/** Returns the version of this package. */
export function version(): string {
  // As far from here when built as it is in the source.
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
