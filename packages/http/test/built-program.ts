import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * The program that tests start in processes, which `test/build-program.ts` builds before the first of
 * them: packed as `npm start` runs it, which starts in a fraction of the time that the sources take.
 */
export const builtProgram: string = join(
  import.meta.dirname,
  '../node_modules/.cache/tested/dist/cli.js',
)

const build = join(import.meta.dirname, '../build.ts')

/**
 * Builds the program into a folder, as of one commit whatever the real one is: equal sources then give
 * equal files.
 *
 * @throws an error with the output of a failed build
 */
export function buildInto(folder: string): void {
  const env = { ...process.env, BUILD_COMMIT: '0123456789ab' }
  const { status, stderr } = spawnSync(process.execPath, [build, folder], { encoding: 'utf8', env })
  if (status !== 0 || stderr !== '') throw new Error(`The build ended with ${status}: ${stderr}`)
}
