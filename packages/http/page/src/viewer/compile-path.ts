import { pathEnvironment } from '../../../../adapters/src/json-path/path-environment.ts'

const example = '$.data.notes[*].text'

/** The most characters of a path that a sentence repeats. */
const longestShown = 40

/**
 * Parses a JSONPath.
 *
 * @throws an error whose sentence names the first place that cannot be read
 */
export function compilePath(path: string): ReturnType<typeof pathEnvironment.compile> {
  try {
    return pathEnvironment.compile(path)
  } catch (error) {
    throw new Error(`“${cut(path)}” is no JSONPath: ${describe(path, error)}.`, { cause: error })
  }
}

function describe(path: string, error: unknown): string {
  if (!path.startsWith('$')) return `it must begin with $, such as ${example}`
  const index = indexOf(error)
  if (index === undefined) return `write one such as ${example}`
  if (index >= path.length) return `it ends too early. Complete it, as in ${example}`
  const place = [...path.slice(0, index)].length + 1
  return `it cannot be read from character ${place} on, “${cut(path.slice(index))}”. Compare it with ${example}`
}

/** Returns the place that an error of the library names, in UTF-16 code units. */
function indexOf(error: unknown): number | undefined {
  const { token } = error as { readonly token?: { readonly index?: number } }
  return token?.index
}

function cut(text: string): string {
  const characters = [...text]
  if (characters.length <= longestShown) return text
  return `${characters.slice(0, longestShown - 1).join('')}…`
}
