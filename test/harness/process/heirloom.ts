import { text } from 'node:stream/consumers'
import { tier } from '../../tier.ts'
import { startCommand } from './child-process.ts'
import { hostCommand } from './hosted-command.ts'
import { serverProgram } from './server.ts'

/** A run of the command line that ended. */
export type Run = { readonly code: number | null; readonly output: string; readonly errors: string }

/** Runs a command of the packed program in this process, or in the long tier in one of its own. */
export async function heirloom(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Run> {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: '0', ...environment }
  const run =
    tier === 'long' ? startCommand([serverProgram, ...words], env) : hostCommand({ words, env })
  const [output, errors, code] = await Promise.all([text(run.stdout), text(run.stderr), run.code])
  return { code, output, errors }
}

/** Runs a command that must succeed, and returns what it prints. */
export async function mustPrint(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<string> {
  const { code, output, errors } = await heirloom(environment, ...words)
  if (code !== 0) throw new Error(`${words.join(' ')}: ${output}${errors}`)
  return output.trim()
}
