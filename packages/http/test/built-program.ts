import { join } from 'node:path'

/**
 * The program that tests start in processes, which `test/build-program.ts` builds before the first of
 * them: packed as `npm start` runs it, which starts in a fraction of the time that the sources take.
 */
export const builtProgram: string = join(
  import.meta.dirname,
  '../node_modules/.cache/tested/dist/cli.js',
)
