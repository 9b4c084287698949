import { Failure } from '@heirloom/core'
import { printable } from './output.ts'
import { canPrompt, type Terminal } from './terminal.ts'

/** Reports that a person answered no, or pressed Ctrl-C. */
class Declined extends Error {
  override readonly name = 'Declined'
  readonly code = 'command/declined'
  readonly facts = {}
}

/**
 * Asks a person to confirm.
 *
 * @throws `Declined`
 */
export async function promptConfirm(terminal: Terminal, question: string): Promise<void> {
  const { confirm } = await import('@clack/prompts')
  const yes = await confirm({
    message: printable(question),
    initialValue: false,
    ...streams(terminal),
  })
  if (yes !== true) throw new Declined('Nothing was sent.')
}

/**
 * Asks a person to type a word, before something that cannot be undone.
 *
 * @throws `Declined`
 */
export async function promptWord(
  terminal: Terminal,
  { question, word }: { readonly question: string; readonly word: string },
): Promise<void> {
  const { text } = await import('@clack/prompts')
  const typed = await text({ message: printable(question), ...streams(terminal) })
  if (typed !== word) throw new Declined('Nothing was changed.')
}

/**
 * Asks for the password of a keystore, without showing it.
 *
 * @throws `Declined`, and `config/invalid` without a terminal to ask on
 */
export async function promptPassword(terminal: Terminal, path: string): Promise<string> {
  requirePrompt(terminal, `to open ${path}`)
  return promptSecret(terminal, `Password of ${path}`)
}

/**
 * Asks for a new password of so many characters twice, without showing it.
 *
 * @throws `Declined`, and `config/invalid` without a terminal to ask on
 */
export async function promptNewPassword(terminal: Terminal, shortest: number): Promise<string> {
  requirePrompt(terminal, 'to encrypt the key')
  const typed = await promptSecret(
    terminal,
    `A new password for the keystore, of at least ${shortest} characters`,
  )
  const again = await promptSecret(terminal, 'The same password again')
  if (again === typed) return typed
  throw new Declined('The two passwords differ. Nothing was written.')
}

function requirePrompt(terminal: Terminal, purpose: string): void {
  if (canPrompt(terminal)) return
  throw new Failure('config/invalid', {
    name: 'HEIRLOOM_KEYSTORE_PASSWORD',
    problem: `or HEIRLOOM_KEYSTORE_PASSWORD_FILE must be set where there is no terminal, ${purpose}`,
  })
}

/**
 * Asks for a text, without showing it.
 *
 * @throws `Declined`
 */
export async function promptSecret(terminal: Terminal, question: string): Promise<string> {
  const { password } = await import('@clack/prompts')
  const typed = await password({ message: printable(question), ...streams(terminal) })
  if (typeof typed !== 'string') throw new Declined('Nothing was done.')
  return typed
}

/**
 * Asks a person to choose.
 *
 * @throws `Declined`
 */
export async function promptChoice<name extends string>(
  terminal: Terminal,
  {
    question,
    choices,
  }: { readonly question: string; readonly choices: Readonly<Record<name, string>> },
): Promise<name> {
  const { select } = await import('@clack/prompts')
  const names = Object.keys(choices) as name[]
  const options = names.map((value) => ({ value: value as string, label: choices[value] }))
  const chosen = await select({ message: printable(question), options, ...streams(terminal) })
  const found = names.find((it) => it === chosen)
  if (found === undefined) throw new Declined('Nothing was done.')
  return found
}

// Standard output is for the result.
const streams = ({ stdin, stderr }: Terminal) => ({ input: stdin, output: stderr })
