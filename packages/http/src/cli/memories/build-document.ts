import type { SecretChoice, SecretFinding } from '@heirloom/adapters/formats'
import { documentOf, readMembers } from '@heirloom/core'
import type { SnapshotInput } from '../../client/requests.ts'
import { type Call, type Options, UsageError } from '../arguments/command.ts'
import { omitUndefined, readCategory, readOptional } from '../arguments/read-values.ts'
import { withoutMark } from '../terminal/files.ts'

/**
 * Returns the document to seal, with the exact bytes of the input but for a byte order mark before it.
 *
 * @throws a `UsageError` that says what is wrong, and in which line
 */
export async function buildDocument(given: buildDocument.Source): Promise<Uint8Array> {
  const source = { ...given, bytes: withoutMark(given.bytes) }
  const category = readOptional(readCategory, '--category', source.category)
  const members = await membersOf(source)
  const found = { members, hasData: members.has('data'), hasMetadata: members.has('metadata') }
  return category === undefined ? readDocument(source, found) : wrapData(source, found)
}

type Found = {
  readonly members: ReadonlyMap<string, unknown>
  readonly hasData: boolean
  readonly hasMetadata: boolean
}

/** Returns a file that is a document as it is. */
function readDocument({ bytes, file, ...given }: buildDocument.Source, found: Found): Uint8Array {
  if (given.agentId !== undefined || given.version !== undefined) {
    throw new UsageError('--agent-id and --version need --category.')
  }
  const { hasData, hasMetadata, members } = found
  if (hasData && hasMetadata) return wholeDocument(bytes, file, members)
  if (hasData || hasMetadata) throw halfOf(file, hasData)
  throw new UsageError(
    `${file} has no data and metadata; add --category to seal all of it as data.`,
  )
}

/** Refuses a member that a memory does not have, which would be left out. */
function wholeDocument(
  bytes: Uint8Array,
  file: string,
  members: ReadonlyMap<string, unknown>,
): Uint8Array {
  const other = [...members.keys()].find((name) => name !== 'data' && name !== 'metadata')
  if (other === undefined) return documentOf(bytes)
  throw new UsageError(
    `${file} has "${other}" beside data and metadata, which a memory does not have; move it into data.`,
  )
}

/** Returns a document with a file as its data. */
function wrapData(source: buildDocument.Source, { hasData, hasMetadata }: Found): Uint8Array {
  const { bytes, file, category, agentId, version } = source
  if (hasData && hasMetadata) {
    throw new UsageError(`${file} has its own metadata; omit --category, and what goes with it.`)
  }
  const metadata = JSON.stringify(omitUndefined({ category, agentId, version }))
  return Buffer.concat([Buffer.from('{"data":'), bytes, Buffer.from(`,"metadata":${metadata}}`)])
}

export declare namespace buildDocument {
  type Source = {
    readonly bytes: Uint8Array
    /** The name of the file, for messages. */
    readonly file: string
    /** The category of a memory without metadata. */
    readonly category: string | undefined
    /** The agent, and the label of this state, of a memory without metadata. */
    readonly agentId?: string | undefined
    readonly version?: string | undefined
    /** The command line that takes files that are no memories. */
    readonly importer: string
  }
}

function halfOf(file: string, hasData: boolean): UsageError {
  const [has, lacks] = hasData ? ['data', 'metadata'] : ['metadata', 'data']
  return new UsageError(
    `${file} has ${has} but no ${lacks}, as in {"data":{…},"metadata":{"category":"research"}}; or add --category to seal all of it as data.`,
  )
}

async function membersOf(source: buildDocument.Source): Promise<ReadonlyMap<string, Uint8Array>> {
  const { bytes, file } = source
  if (bytes.length === 0) throw new UsageError(`${file} is empty.`)
  try {
    return readMembers(bytes)
  } catch (error) {
    throw (await problemOf(source, Object(error))) ?? error
  }
}

/** Returns what is wrong with a file that is no JSON object, and what takes it; `undefined` for the rest. */
async function problemOf(
  { bytes, file, importer }: buildDocument.Source,
  { code, facts }: { readonly code?: unknown; readonly facts?: Facts },
): Promise<UsageError | undefined> {
  const otherFile = (problem: string) => new UsageError(`${problem} ${importer} takes other files.`)
  const kind = kindOf(bytes)
  if (kind !== undefined) return otherFile(`${file} is a JSON ${kind}; a memory is an object.`)
  if (code !== 'json/malformed' || facts === undefined) return undefined
  const { jsonFault } = await import('@heirloom/adapters/formats')
  const problem = `${file} is invalid: ${jsonFault(bytes, facts.at)}.`
  return /\.json$/i.test(file) ? new UsageError(problem) : otherFile(problem)
}

type Facts = { readonly at: number }

/** Returns the kind of a JSON value; `undefined` for an object and for other bytes. */
function kindOf(bytes: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (Array.isArray(value)) return 'array'
    return value === null ? 'null' : typeof value === 'object' ? undefined : typeof value
  } catch {
    return undefined
  }
}

/** The options of every command that seals a memory. */
export const secretOptions = {
  redact: { type: 'boolean', about: 'Replace what looks like a secret.' },
  'keep-secrets': { type: 'boolean', about: 'Send what looks like a secret as it is.' },
} as const satisfies Options

type Card = SnapshotInput['card']
type SecretCall = Pick<Call<never, typeof secretOptions>, 'options' | 'output' | 'signal'>

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
  const { handleSecretsAside } = await import('@heirloom/adapters/internal/import-aside')
  const handled = await searching(call, () => handleSecretsAside(text, choice, call.signal))
  for (const secret of handled.secrets) await call.output.note(`Replaced ${describeSecret(secret)}`)
  return handled.text
}

/** Searches a memory for secrets. When Ctrl-C ends the search it says that nothing came of it. */
export async function searching<T>(
  { signal, output }: Pick<Call, 'signal' | 'output'>,
  act: () => Promise<T>,
): Promise<T> {
  const say = () =>
    void output.note('Interrupted while a memory was searched for secrets; it was not sent.')
  signal.addEventListener('abort', say, { once: true })
  try {
    return await act()
  } finally {
    signal.removeEventListener('abort', say)
  }
}

/** Returns findings for `--json`, without the letters that they begin with. */
export const secretsWithoutText = (secrets: readonly SecretFinding[]) =>
  secrets.map(({ excerpt: _, ...it }) => it)

/** Says what a secret is and where, without a letter of it: logs keep what is printed. */
export const describeSecret = ({ kind, where, line }: Omit<SecretFinding, 'excerpt'>): string =>
  `${kind} at ${where ?? 'the text'} line ${line}`
