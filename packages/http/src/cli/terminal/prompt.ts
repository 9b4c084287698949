import { Failure } from '@heirloom/core'
import { printable } from './printable.ts'
import { isAnswered, type Terminal } from './terminal.ts'

/** Tells that a person answered no, or with Ctrl-C. */
class Declined extends Error {
  override readonly name = 'Declined'
  readonly code = 'command/declined'
  readonly facts = {}
}

/**
 * Asks whether to go on.
 *
 * @throws `Declined`
 */
export async function askToGoOn(terminal: Terminal, question: string): Promise<void> {
  const { confirm } = await import('@clack/prompts')
  const yes = await confirm({
    message: printable(question),
    initialValue: false,
    ...streams(terminal),
  })
  if (yes !== true) throw new Declined('Nothing was sent.')
}

/**
 * Asks for a word to be typed before something is done that cannot be undone.
 *
 * @throws `Declined`
 */
export async function askToType(
  terminal: Terminal,
  { question, word }: { readonly question: string; readonly word: string },
): Promise<void> {
  const { text } = await import('@clack/prompts')
  const typed = await text({ message: printable(question), ...streams(terminal) })
  if (typed !== word) throw new Declined('Nothing was changed.')
}

/**
 * Asks for the password of the keystore, which is not shown.
 *
 * @throws `Declined`, and `config/invalid` where there is nobody to ask
 */
export async function askPassword(terminal: Terminal): Promise<string> {
  if (!isAnswered(terminal)) {
    throw new Failure('config/invalid', {
      name: 'HEIRLOOM_KEYSTORE_PASSWORD',
      problem: 'or HEIRLOOM_KEYSTORE_PASSWORD_FILE must be set where there is no terminal',
    })
  }
  const { password } = await import('@clack/prompts')
  const typed = await password({ message: 'Password of the keystore', ...streams(terminal) })
  if (typeof typed === 'symbol') throw new Declined('Nothing was opened.')
  return typed
}

// Standard output belongs to the answer.
const streams = ({ stdin, stderr }: Terminal) => ({ input: stdin, output: stderr })
