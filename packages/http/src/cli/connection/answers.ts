import { hash as digestOf } from 'node:crypto'
import { hash, isUnderRoot } from '@heirloom/core'
import type { Static, TSchema } from '@sinclair/typebox'
import type { Client } from '../../client/client.ts'
import type { Excerpts } from '../../client/responses.ts'
import { badResponse } from '../../client/transport/decode-response.ts'
import { type Call, type Options, UsageError } from '../arguments/command.ts'

/**
 * Returns a response as its schema describes it: what prints it may then rely on its members.
 *
 * @throws `client/bad-answer` with the first place that is wrong
 */
export async function checkAnswer<T extends TSchema>(
  path: string,
  schema: T,
  response: unknown,
): Promise<Static<T>> {
  // Imported lazily: most commands check nothing.
  const { Value } = await import('@sinclair/typebox/value')
  const wrong = Value.Errors(schema, response).First()
  if (wrong === undefined) return response
  const place = wrong.path === '' ? path : `${wrong.path} of ${path}`
  throw badResponse(`${place} is ${shown(wrong.value)}: ${wrong.message}`)
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? 'missing'

/** Returns the excerpts whose proofs lead to the root, with these proofs. */
export const checkedExcerpts = ({ root, excerpts }: Excerpts): Excerpts['excerpts'] =>
  root === null ? [] : excerpts.filter((it) => isUnderRoot(it, hash(root), sha256))

const sha256 = (bytes: Uint8Array): Uint8Array => digestOf('sha256', bytes, 'buffer')

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
  const { quarantine } = await import('@heirloom/adapters/internal/scan/scan-text')
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
