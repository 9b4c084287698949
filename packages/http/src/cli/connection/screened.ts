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

/** The shown form of an answer, and the number of its texts that were held back. */
type Screened<Value> = { readonly value: Value; readonly held: number }

/**
 * Returns what the catalogue answered with a note in the place of each string that could mislead its
 * reader, and says on standard error how many there are: anyone can publish a card or a comment, and
 * it is read before anything is paid. Throws a `UsageError` where they are too many to note each.
 */
export async function screened<Value extends object>(
  call: ScreenedCall,
  client: Pick<Client, 'scan'>,
  value: Value,
): Promise<Value> {
  const shown = await holdTexts(call, client, value)
  await noteHeld(call, shown.held)
  return shown.value
}

/** Holds back texts as `screened` does, and says nothing of it. @throws a `UsageError` */
export async function holdTexts<Value extends object>(
  { options, signal }: Pick<ScreenedCall, 'options' | 'signal'>,
  client: Pick<Client, 'scan'>,
  value: Value,
): Promise<Screened<Value>> {
  if (options.flagged === true) return { value, held: 0 }
  const text = JSON.stringify(value)
  const scan = await client.scan(text, { signal })
  if (scan.isAllHeld) throw new UsageError(`${tooMany} --flagged shows all.`)
  const held = scan.held.length
  if (held === 0) return { value, held }
  const { quarantine } = await import('../../scan/scan-text.ts')
  return { value: JSON.parse(quarantine(text, scan)) as Value, held }
}

/** Says on standard error how many texts were held back. */
export async function noteHeld(
  { output }: Pick<ScreenedCall, 'output'>,
  count: number,
): Promise<void> {
  if (count === 0) return
  const what =
    count === 1
      ? '1 text that could mislead its reader was'
      : `${count} texts that could mislead their reader were`
  await output.note([{ style: 'yellow', text: `${what} held back; --flagged shows all.` }])
}
