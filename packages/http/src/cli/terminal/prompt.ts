import { Failure } from '@heirloom/core'
import { printable } from './printable.ts'
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
 * Asks for the password of the keystore, without showing it.
 *
 * @throws `Declined`, and `config/invalid` without a terminal to ask on
 */
export async function promptPassword(terminal: Terminal): Promise<string> {
  if (!canPrompt(terminal)) {
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

// Standard output is for the result.
const streams = ({ stdin, stderr }: Terminal) => ({ input: stdin, output: stderr })
