import { join } from 'node:path'
import { clientEntrances } from './entrances.ts'

/**
 * Returns the files that the entrances of the client are bundled from, by the names that they are
 * bundled as: the sources, or the declarations that the compiler made of them.
 */
export function inputOf(http: string, kind: 'sources' | 'declarations'): Record<string, string> {
  const path = { sources: ['src', 'index.ts'], declarations: ['lib', 'index.d.ts'] } as const
  const [folder, name] = path[kind]
  return Object.fromEntries(
    clientEntrances.map((entrance) => [entrance.file, join(http, folder, entrance.folder, name)]),
  )
}
