import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** The folder of what runs the server in containers, as a service, and under watch. */
export const deployFolder = join(import.meta.dirname, '../../../deploy')

/** Returns the text of a file of `deploy`. */
export const readDeployed = (name: string): string => readFileSync(join(deployFolder, name), 'utf8')

/** Returns the documents of a YAML file of `deploy`; throws an error where it is not valid. */
export function readYaml<T>(name: string): readonly T[] {
  return parseAllDocuments(readDeployed(name), { merge: true, uniqueKeys: true }).map(
    (document) => {
      const [problem] = [...document.errors, ...document.warnings]
      if (problem !== undefined) throw new Error(`${name}: ${problem.message}`)
      return document.toJS() as T
    },
  )
}

/** A value that Compose fills in from its environment. */
const variable = /\$\{(?<name>\w+)(?:(?<kind>:[-?])(?<word>[^}]*))?\}/g

/** Returns a text as Compose fills it in; throws an error where a variable that must be set is not. */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(variable, (...parts) => {
    const { name, kind, word } = parts.at(-1) as Record<string, string | undefined>
    const value = env[name ?? '']
    if (value !== undefined && value !== '') return value
    if (kind === ':?') throw new Error(`${name} is not set.`)
    return word ?? ''
  })
}
