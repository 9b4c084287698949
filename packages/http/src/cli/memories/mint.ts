import { type Account, card, Failure, type Hex, itemsOf, partCard } from '@heirloom/core'
import { pathOf } from '../../api/operations/paths.ts'
import type { SnapshotOptions } from '../../client/requests.ts'
import type { Minted } from '../../client/responses.ts'
import { type Call, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readAddress, readTokenId } from '../arguments/read-values.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { dryRun, ownDryRun } from '../connection/dry-run.ts'
import { connectWriter, type Writer, writeOptions } from '../connection/writer.ts'
import { type CommandResult, progressBar } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { cardWithoutSecrets, secretOptions } from './build-document.ts'

/** The options of every command that mints a token. */
export const mintOptions = {
  parent: withValue('ID', 'The token this memory derives from.'),
  recipient: withValue(
    'ADDRESS',
    "The owner of the token. Default: the wallet that signs, the server's or yours; only its owner can list it.",
  ),
  title: withValue('TEXT', 'A public title of one line; it cannot be removed later.'),
  description: withValue('TEXT', 'A public description; needs --title.'),
  'card-category': withValue('WORD', 'A public category; needs --title.'),
  excerpt: withValue(
    'POINTER,…',
    'Values of the memory to show as a proven sample, by their JSON pointers such as /data/notes/0; needs --title.',
  ),
  tags: withValue('TAG,TAG', 'Public tags for search; needs --title.'),
  ...secretOptions,
  ...writeOptions,
} as const satisfies Options

type MintCall = Pick<Call<never, typeof mintOptions>, 'terminal' | 'output' | 'signal' | 'options'>
type Given = MintCall['options']

/** Snapshots a document, or describes this with `--dry-run`, where it may be for a name. */
export async function mint(
  call: MintCall,
  document: Uint8Array,
  more: { readonly salt?: Hex; readonly name?: string } = {},
): Promise<CommandResult> {
  const { name, ...salted } = more
  const others = { ...(await readMintOptions(call)), ...salted }
  const { client, wallet, writes, options } = await connectWriter(call)
  if (call.options['dry-run']) {
    await requireMintable({ client, signal: call.signal }, { document, ...others })
  }
  if (call.options['dry-run'] && wallet !== undefined) {
    // A seal for the name would hold it.
    const quote = await wallet.quote('snapshot', { document, ...others })
    return ownDryRun(wallet, { act: 'mint', quote })
  }
  if (call.options['dry-run']) {
    const body = { ...others, ...omitUndefined({ name }), document: `${document.length} bytes` }
    return dryRun(client, { path: pathOf('snapshot'), body }, call.signal)
  }
  const bar = progressBar(call.terminal, call.output)
  // Your account signs what it has saved, also where the wallet of the server mints it.
  const signing = wallet === undefined ? (await connectAsAccount(call)).client : writes
  const minted = await signing
    .snapshot({ document, ...others }, { ...options, onProgress: bar.onProgress })
    .finally(bar.clear)
  return { value: minted, lines: linesOf(minted) }
}

/** Reads the options of a mint. @throws a `UsageError`, `import/secrets-found` */
export async function readMintOptions(call: Pick<MintCall, 'options' | 'output' | 'signal'>) {
  const { parent, recipient, ...given } = call.options
  return omitUndefined({
    parentTokenId: parent === undefined ? undefined : readTokenId('--parent', parent),
    recipient: recipient === undefined ? undefined : readAddress('--recipient', recipient),
    card: await cardWithoutSecrets(call, cardOf(given)),
  })
}

type Shown = Pick<Given, 'title' | 'description' | 'card-category' | 'tags' | 'excerpt'>

function cardOf({ title, description, 'card-category': category, tags, excerpt }: Shown) {
  if (title !== undefined) {
    const words = tags?.split(',').map((tag) => tag.trim())
    // A pointer begins with a slash, so a comma before one separates two.
    const excerpts = excerpt?.split(/,(?=\/)/)
    return { title, ...omitUndefined({ description, category, tags: words, excerpts }) }
  }
  if ((description ?? category ?? tags ?? excerpt) === undefined) return undefined
  throw new UsageError('--description, --card-category, --tags and --excerpt need --title.')
}

const linesOf = (minted: Minted): CommandResult['lines'] =>
  rows([
    ['Token', minted.tokenId],
    ['Content hash', minted.contentHash],
    ['Storage', minted.storageUri],
    ['Transaction', minted.txHash],
  ])

type Minting = Pick<SnapshotOptions, 'card' | 'recipient'> & {
  readonly document: Uint8Array
  readonly parentTokenId?: string
}

/**
 * Requires of a mint what can be seen without sending it: a parent that exists, a recipient that is an
 * account, a card by its rules, and excerpts that are values of the memory.
 *
 * @throws `token/not-found`, `recipient/invalid`, `card/malformed`, `excerpt/not-in-memory`
 */
async function requireMintable(
  { client, signal }: Pick<Writer, 'client'> & Pick<Call, 'signal'>,
  { card: shown, recipient, parentTokenId, document }: Minting,
): Promise<void> {
  if (recipient !== undefined && /^0x0+$/.test(recipient)) {
    throw new Failure('recipient/invalid', { recipient: recipient as Account })
  }
  if (shown !== undefined) requireCard(shown, document)
  if (parentTokenId !== undefined) await client.info(parentTokenId, { signal })
}

/** @throws `card/malformed`, `excerpt/not-in-memory` */
function requireCard(shown: NonNullable<Minting['card']>, document: Uint8Array): void {
  const { card: text, excerpts } = partCard(shown)
  card(text)
  if (excerpts.length === 0) return
  const known = new Set(itemsOf(document)?.map(({ pointer }) => pointer))
  const pointer = excerpts.find((it) => !known.has(it))
  if (pointer !== undefined) throw new Failure('excerpt/not-in-memory', { pointer })
}
