import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientEntrances } from './entrances.ts'

/**
 * Returns the files that the entrances of the client are bundled from, by the names that they are
 * bundled as: the sources, or the declarations that the compiler made of them.
 */
export function inputOf(http: string, kind: 'sources' | 'declarations'): Record<string, string> {
  const { exports, publishConfig } = JSON.parse(readFileSync(join(http, 'package.json'), 'utf8'))
  const paths = {
    sources: (source: string): string => exports[source],
    declarations: (source: string) => publishConfig.exports[source].replace(/\.js$/, '.d.ts'),
  }
  return Object.fromEntries(
    clientEntrances.map(({ source, file }) => [file, join(http, paths[kind](source))]),
  )
}
