import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { longestWait } from '../../tier.ts'

const execute = promisify(execFile)

/** The folder of `heirloom.py`. */
export const pythonFolder: string = join(import.meta.dirname, '../../../packages/http/python')

/** Settings of a script. */
export type ScriptEnvironment = Readonly<Record<string, string>>

/**
 * Runs a script with the python3 of the machine, beside `heirloom.py`, and returns what it printed.
 * Every warning of Python is an error.
 */
export async function runPython(script: string, environment: ScriptEnvironment): Promise<string> {
  // Without -B Python would write its caches into the package.
  const words = ['-B', '-W', 'error', '-c', script]
  const env = { PATH: process.env.PATH, PYTHONPATH: pythonFolder, PYTHONUTF8: '1', ...environment }
  const { stdout } = await execute(pythonProgram(), words, { env, timeout: longestWait })
  return stdout
}

let found: string | undefined

/** Returns the path of the machine's python3: what a version manager has on the path starts slowly. */
export function pythonProgram(): string {
  const words = ['-c', 'import sys; print(sys.executable)']
  found ??= execFileSync('python3', words, { encoding: 'utf8' }).trim()
  return found
}
