import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, runInThisContext } from 'node:vm'
import { Failure } from '@heirloom/core'

/** Imports a module that a setting names: by its absolute path, or as a package. */
export async function importModule<Exports>(name: string): Promise<Partial<Exports>> {
  return isAbsolute(name) ? import(pathToFileURL(name).href) : importPackage(name)
}

/** Imports the package that a module in the working directory would import. */
async function importPackage<Exports>(name: string): Promise<Partial<Exports>> {
  const importHere: (name: string) => Promise<Partial<Exports>> = runInThisContext(
    '(name) => import(name)',
    {
      filename: join(process.cwd(), 'package.json'),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  )
  return importHere(name)
}

/** Returns the failure of a module that BLOB_STORE names and a server cannot use. */
export const wrongModule = (problem: string, cause?: unknown): Failure<'config/invalid'> =>
  new Failure('config/invalid', { name: 'BLOB_STORE', problem }, { cause })

/** Returns an error and its causes without what they say, which may quote a password in a log. */
export function traceOf(error: unknown, depth = 0): Error | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  const trace = new Error('', { cause: traceOf(error.cause, depth + 1) })
  const places = error.stack?.split('\n').filter((line) => /^ +at /.test(line)) ?? []
  return Object.assign(trace, { name: error.name, stack: [error.name, ...places].join('\n') })
}
