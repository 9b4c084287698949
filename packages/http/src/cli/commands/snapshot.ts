import type { Hex } from '@heirloom/core'
import { pathOf } from '../../api/operations/paths.ts'
import type { Minted } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import { omitUndefined, readAddress, readTokenId } from '../arguments/read-values.ts'
import { requireMintable } from '../connection/check-writes.ts'
import { dryRun, ownDryRun } from '../connection/dry-run.ts'
import {
  cardWithoutSecrets,
  documentWithoutSecrets,
  secretOptions,
} from '../connection/without-secrets.ts'
import { connectWriter, writeOptions } from '../connection/writer.ts'
import { buildDocument } from '../terminal/build-document.ts'
import { readInput } from '../terminal/files.ts'
import type { CommandResult } from '../terminal/output.ts'
import { progressBar } from '../terminal/progress-bar.ts'
import { rows } from '../terminal/value-text.ts'

/** The options of every command that mints a token. */
export const mintOptions = {
  parent: { type: 'string', value: 'ID', about: 'The token this memory derives from.' },
  recipient: {
    type: 'string',
    value: 'ADDRESS',
    about:
      "The owner of the token. Default: the wallet that signs, the server's or yours; only its owner can list it.",
  },
  title: {
    type: 'string',
    value: 'TEXT',
    about: 'A public title of one line; it cannot be removed later.',
  },
  description: {
    type: 'string',
    value: 'TEXT',
    about: 'A public description; needs --title.',
  },
  'card-category': {
    type: 'string',
    value: 'WORD',
    about: 'A public category; needs --title.',
  },
  excerpt: {
    type: 'string',
    value: 'POINTER,…',
    about:
      'Values of the memory to show as a proven sample, by their JSON pointers such as /data/notes/0; needs --title.',
  },
  tags: { type: 'string', value: 'TAG,TAG', about: 'Public tags for search; needs --title.' },
  ...secretOptions,
  ...writeOptions,
} as const satisfies Options

/** The options that are the metadata of a file without metadata. */
export const metadataOptions = {
  category: {
    type: 'string',
    value: 'WORD',
    about:
      'Use all of FILE as data, with this category: trading, research, support, gaming, social or another.',
  },
  'agent-id': {
    type: 'string',
    value: 'NAME',
    about: 'The name of the agent in the metadata; needs --category.',
  },
  version: {
    type: 'string',
    value: 'LABEL',
    about: 'A label of this state in the metadata, such as 2026-11; needs --category.',
  },
} as const satisfies Options

const options = {
  ...metadataOptions,
  salt: {
    type: 'string',
    value: 'FILE',
    about:
      'The salt of a download, as --output of download writes it: the content hash stays that of the token it came from.',
    file: true,
  },
  ...mintOptions,
} as const satisfies Options

/** Snapshots a memory. */
export const snapshot = command({
  about: 'Encrypts a memory, stores it, and mints a token for it.',
  more: [
    'FILE is a JSON object with the members data and metadata, or with --category any JSON object. Downloads return the exact bytes of both members, without what is around them.',
    'A memory or card with what looks like a secret is refused without --redact or --keep-secrets: everyone who ever owns or rents the memory can read all of it.',
  ],
  words: [{ name: 'FILE', about: 'The memory; - for standard input.', file: true }],
  options,
  examples: [
    { line: 'heirloom snapshot memory.json', about: 'Snapshot a memory with its metadata:' },
    {
      line: `echo '{"learned":["users prefer short answers"]}' | heirloom snapshot - --category support --agent-id ada`,
      about: 'Snapshot the output of a program:',
    },
    {
      line: 'heirloom snapshot memory.json --parent 7 --title "A year of trades" --card-category trading',
      about: 'Add a parent, and a public card so that others can find it:',
    },
    {
      line: 'heirloom snapshot memory.json --title "Trades" --excerpt /data/a,/metadata/category',
      about: 'Show two values of it to everybody, with the proof that they are in it:',
    },
    { line: 'heirloom snapshot memory.json --dry-run', about: 'Show what would be sent:' },
    {
      line: 'heirloom snapshot memory.json --salt memory.json.salt',
      about: 'Carry a download over to other contracts, under its content hash:',
    },
    {
      line: 'heirloom snapshot memory.json --as-wallet',
      about: 'Be its creator: let the server seal it, and mint it with your own wallet:',
    },
  ],
  run: async (call) => {
    const bytes = await readInput(call.terminal, call.words.FILE)
    const { category, 'agent-id': agentId, version, salt: saltFile } = call.options
    const salt = saltFile === undefined ? undefined : await readSalt(call.terminal, saltFile)
    const file = call.words.FILE === '-' ? 'Standard input' : call.words.FILE
    const source = { bytes, file, category, agentId, version, importer: 'heirloom import' }
    const document = await documentWithoutSecrets(call, buildDocument(source))
    await call.output.result(await mint(call, document, omitUndefined({ salt })))
    return 0
  },
})

/** Reads the salt of a download. */
async function readSalt(terminal: Call['terminal'], file: string): Promise<Hex> {
  const text = Buffer.from(await readInput(terminal, file))
    .toString()
    .trim()
  if (isHash(text)) return text
  throw new UsageError(`--salt names ${file}, which holds no salt: 0x and 64 hexadecimal digits.`)
}

const isHash = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)

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
  const minted = await writes
    .snapshot({ document, ...others }, { ...options, onProgress: bar.onProgress })
    .finally(bar.clear)
  return { value: minted, lines: linesOf(minted) }
}

/** Reads the options of a mint. @throws a `UsageError`, `import/secrets-found` */
export async function readMintOptions(call: Pick<MintCall, 'options' | 'output'>) {
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
