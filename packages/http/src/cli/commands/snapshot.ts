import { documentOf, readMembers } from '@heirloom/core'
import type { Minted } from '../../client/responses.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { connect, readAccount, readToken } from '../connection/connect.ts'
import { defined } from '../arguments/omit-undefined.ts'
import { readInput } from '../terminal/read-input.ts'
import type { Answer } from '../terminal/output.ts'
import { progressBar } from '../terminal/progress-bar.ts'
import { rows } from '../terminal/rows.ts'
import { rehearsed, writeOptions, writing } from '../connection/dry-run.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** What a snapshot may carry beside the memory. */
export const mintOptions = {
  parent: { type: 'string', value: 'ID', about: 'The token this memory grew from.' },
  recipient: {
    type: 'string',
    value: 'ADDRESS',
    about: "Who owns the token; the server's wallet when absent, which alone can list it.",
  },
  title: { type: 'string', value: 'TEXT', about: 'One line that everybody may see, for ever.' },
  description: {
    type: 'string',
    value: 'TEXT',
    about: 'More that everybody may see; needs --title.',
  },
  'card-category': {
    type: 'string',
    value: 'WORD',
    about: 'A category that everybody may see; needs --title.',
  },
  tags: { type: 'string', value: 'TAG,TAG', about: 'Words to find it by; needs --title.' },
  ...writeOptions,
} as const satisfies Options

const options = {
  category: {
    type: 'string',
    value: 'WORD',
    about:
      'Take all of FILE as data, of this category: trading, research, support, gaming, social or another.',
  },
  ...mintOptions,
} as const satisfies Options

/** Snapshots a memory. */
export const snapshot = command({
  about: 'Seals a memory, stores it, and mints a token for it.',
  more: [
    'FILE is JSON with the members data and metadata, or with --category any JSON object. Every byte of it comes back as it is.',
  ],
  words: [{ name: 'FILE', about: 'The memory; - for standard input.', file: true }],
  options,
  examples: [
    { line: 'heirloom snapshot memory.json', about: 'A memory with its metadata:' },
    {
      line: `echo '{"learned":["users prefer short answers"]}' | heirloom snapshot - --category support`,
      about: 'Whatever a program prints:',
    },
    {
      line: 'heirloom snapshot memory.json --parent 7 --title "A year of trades" --card-category trading',
      about: 'With a parent, and a card by which others find it:',
    },
    { line: 'heirloom snapshot memory.json --dry-run', about: 'What would be sent:' },
  ],
  run: async (call) => {
    const bytes = await readInput(call.terminal, { name: 'FILE', path: call.words.FILE })
    await call.output.answer(await mint(call, documentFrom(bytes, call.options.category)))
    return 0
  },
})

/** Returns the exact document that is sealed. */
function documentFrom(bytes: Uint8Array, category: string | undefined): Uint8Array {
  if (category === undefined) return documentOf(bytes)
  const members = readMembers(bytes)
  if (members.has('data') && members.has('metadata')) {
    throw new UsageError('FILE has metadata of its own; leave --category out.')
  }
  const metadata = JSON.stringify({ category })
  return Buffer.concat([Buffer.from('{"data":'), bytes, Buffer.from(`,"metadata":${metadata}}`)])
}

type MintCall = Pick<Call<never, typeof mintOptions>, 'terminal' | 'output' | 'signal' | 'options'>
type Given = MintCall['options']

/** Snapshots a document, or tells how it would. */
export async function mint(call: MintCall, document: Uint8Array): Promise<Answer> {
  const beside = besideOf(call.options)
  const client = await connect(call)
  if (call.options['dry-run']) {
    const body = { ...beside, document: `${document.length} bytes` }
    return rehearsed(client, { path: '/api/memory/snapshot', body }, call.signal)
  }
  const bar = progressBar(call.terminal, call.output)
  const minted = await client
    .snapshot({ document, ...beside }, { ...writing(call), onProgress: bar.onProgress })
    .finally(bar.clear)
  return { value: minted, lines: linesOf(minted) }
}

function besideOf({ parent, recipient, ...given }: Given) {
  return defined({
    parentTokenId: parent === undefined ? undefined : readToken('--parent', parent),
    recipient: recipient === undefined ? undefined : readAccount('--recipient', recipient),
    card: cardOf(given),
  })
}

type Shown = Pick<Given, 'title' | 'description' | 'card-category' | 'tags'>

function cardOf({ title, description, 'card-category': category, tags }: Shown) {
  if (title !== undefined) {
    const words = tags?.split(',').map((tag) => tag.trim())
    return { title, ...defined({ description, category, tags: words }) }
  }
  if ((description ?? category ?? tags) === undefined) return undefined
  throw new UsageError('--description, --card-category and --tags need --title.')
}

const linesOf = (minted: Minted): Answer['lines'] =>
  rows([
    ['Token', minted.tokenId],
    ['Content hash', minted.contentHash],
    ['Storage', minted.storageUri],
    ['Transaction', minted.txHash],
  ])
