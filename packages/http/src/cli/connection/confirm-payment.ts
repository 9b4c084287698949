import type { Call } from '../arguments/command.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import type { payOptions } from './write-options.ts'

type PayCall = Pick<Call<never, typeof payOptions>, 'terminal' | 'output' | 'options'>

/**
 * Asks a person to confirm a payment. Asks nobody with `--yes` or `--json`, or without a terminal.
 *
 * @throws `Declined`
 */
export async function confirmPayment(
  { terminal, output, options }: PayCall,
  question: string,
): Promise<void> {
  if (options.yes || output.json || !canPrompt(terminal)) return
  await promptConfirm(terminal, question)
}
