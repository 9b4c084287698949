import type { SecretChoice, SecretFinding } from '@heirloom/adapters/formats'
import type { SnapshotInput } from '../../client/requests.ts'
import { type Call, type Options, UsageError } from '../arguments/command.ts'

/** The options of every command that seals a memory. */
export const secretOptions = {
  redact: { type: 'boolean', about: 'Replace what looks like a secret.' },
  'keep-secrets': { type: 'boolean', about: 'Send what looks like a secret as it is.' },
} as const satisfies Options

type Card = SnapshotInput['card']
type SecretCall = Pick<Call<never, typeof secretOptions>, 'options' | 'output'>

/** Returns what to do with secrets; by default they are refused. @throws a `UsageError` */
export function secretChoiceOf({
  redact,
  'keep-secrets': keep,
}: SecretCall['options']): SecretChoice {
  if (redact && keep) throw new UsageError('--redact and --keep-secrets exclude each other.')
  if (redact) return 'redact'
  return keep ? 'keep' : 'refuse'
}

/**
 * Returns a document without secrets, or as it is where they are kept: everyone who ever owns or
 * rents the memory reads all of it. What was replaced is said on standard error.
 *
 * @throws `import/secrets-found`
 */
export async function documentWithoutSecrets(
  call: SecretCall,
  document: Uint8Array,
): Promise<Uint8Array> {
  const before = Buffer.from(document).toString()
  const after = await textWithoutSecrets(call, before)
  return after === before ? document : Buffer.from(after)
}

/** Returns a card without secrets, which everyone reads. @throws `import/secrets-found` */
export async function cardWithoutSecrets(
  call: SecretCall,
  card: Card | undefined,
): Promise<Card | undefined> {
  if (card === undefined) return undefined
  return JSON.parse(await textWithoutSecrets(call, JSON.stringify({ card }))).card
}

async function textWithoutSecrets(call: SecretCall, text: string): Promise<string> {
  const choice = secretChoiceOf(call.options)
  if (choice === 'keep') return text
  // Loaded at the first use, because the word lists are long.
  const { handleSecrets } = await import('@heirloom/adapters/formats/secrets')
  const handled = handleSecrets(text, choice)
  for (const secret of handled.secrets) await call.output.note(`Replaced ${describe(secret)}`)
  return handled.text
}

const describe = ({ kind, where, line, excerpt }: SecretFinding): string =>
  `${kind} at ${where ?? 'the text'} line ${line}: ${excerpt}`
