import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, runInThisContext } from 'node:vm'

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
