import type { Client } from '../../client/client.ts'
import type { Call, Options } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** The option of every command that shows what others published. */
export const screenedOption = {
  flagged: { type: 'boolean', about: 'Show all of it, also text that could mislead its reader.' },
} as const satisfies Options

const tooMany =
  'It has more texts that could mislead their reader than can be held back one by one.'

type ScreenedCall = Pick<Call<never, typeof screenedOption>, 'options' | 'output' | 'signal'>

/**
 * Returns what the catalogue answered with a note in the place of each string that could mislead its
 * reader, and says on standard error how many there are: anyone can publish a card or a comment, and
 * it is read before anything is paid. Throws a `UsageError` where they are too many to note each.
 */
export async function screened<Value extends object>(
  { options, output, signal }: ScreenedCall,
  client: Pick<Client, 'scan'>,
  value: Value,
): Promise<Value> {
  if (options.flagged === true) return value
  const text = JSON.stringify(value)
  const scan = await client.scan(text, { signal })
  if (scan.isAllHeld) throw new UsageError(`${tooMany} --flagged shows all.`)
  const count = scan.held.length
  if (count === 0) return value
  const { quarantine } = await import('../../scan/quarantine.ts')
  const what =
    count === 1
      ? '1 text that could mislead its reader was'
      : `${count} texts that could mislead their reader were`
  await output.note([{ style: 'yellow', text: `${what} held back; --flagged shows all.` }])
  return JSON.parse(quarantine(text, scan)) as Value
}
