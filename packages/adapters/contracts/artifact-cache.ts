import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sources that a compilation read, by path: the SHA-256 of each. */
type Sums = Readonly<Record<string, string>>

type Entry<Output> = { readonly sums: Sums; readonly output: Output }

const folder = join(import.meta.dirname, '../node_modules/.cache/solidity')

/**
 * Returns what `compile` returns, from a file if the same request read the same sources before: the
 * compiler takes seconds, and many test files need the same contracts.
 *
 * @param request All that the output depends on, except for the sources.
 * @param read Returns the source at a path.
 */
export function compileOnce<Output>(
  request: unknown,
  read: (path: string) => string,
  compile: (find: (path: string) => string) => Output,
): Output {
  const path = join(folder, `${sumOf(JSON.stringify(request))}.json`)
  const known = existsSync(path) ? entryIn<Output>(path) : undefined
  if (known !== undefined && isCurrent(known.sums, read)) return known.output
  const sums: Record<string, string> = {}
  const output = compile((source) => {
    const text = read(source)
    sums[source] = sumOf(text)
    return text
  })
  mkdirSync(folder, { recursive: true })
  // Another process may read it at the same time.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify({ sums, output }))
  renameSync(`${path}.${process.pid}`, path)
  return output
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const entryIn = <Output>(path: string): Entry<Output> => JSON.parse(readFileSync(path, 'utf8'))

const isCurrent = (sums: Sums, read: (path: string) => string): boolean =>
  Object.entries(sums).every(([source, sum]) => isSame(source, sum, read))

function isSame(source: string, sum: string, read: (path: string) => string): boolean {
  try {
    return sumOf(read(source)) === sum
  } catch {
    // The file is gone, so the compiler says what it misses.
    return false
  }
}
