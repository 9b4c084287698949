import { basename, join } from 'node:path'
import { build } from 'rolldown'
import { makeOnce } from '../packages/make-once.ts'

/**
 * Packs a program of the tests once in a run, and returns the path of what it packed. From its sources
 * a program needs six times the processor time to start, and one that is killed fills no cache.
 */
export async function packedProgram(source: string): Promise<string> {
  const name = basename(source, '.ts')
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  const folder = await makeOnce(name, async (dir) => {
    await build({
      input: source,
      platform: 'node',
      logLevel: 'silent',
      output: Object.assign({ dir }, names),
    })
  })
  return join(folder, `${name}.mjs`)
}
