import { statSync } from 'node:fs'
import type { Hex } from '@heirloom/core'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined } from '../arguments/read-values.ts'
import { readInput } from '../terminal/files.ts'
import { buildDocument, documentWithoutSecrets, secretOptions } from './build-document.ts'
import { mint, mintOptions } from './mint.ts'
import { namedSaveOptions, saveNamed } from './save-version.ts'

/** The options that are the metadata of a file without metadata. */
const metadataOptions = {
  category: withValue(
    'WORD',
    'Use all of FILE as data, with this category: trading, research, support, gaming, social or another.',
  ),
  'agent-id': withValue('NAME', 'The name of the agent in the metadata; needs --category.'),
  version: withValue(
    'LABEL',
    'A label of this state in the metadata, such as 2026-11; needs --category.',
  ),
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
  examples: {
    'Snapshot a memory with its metadata:': 'heirloom snapshot memory.json',
    'Snapshot the output of a program:': `echo '{"learned":["users prefer short answers"]}' | heirloom snapshot - --category support --agent-id ada`,
    'Add a parent, and a public card so that others can find it:':
      'heirloom snapshot memory.json --parent 7 --title "A year of trades" --card-category trading',
    'Show two values of it to everybody, with the proof that they are in it:':
      'heirloom snapshot memory.json --title "Trades" --excerpt /data/a,/metadata/category',
    'Show what would be sent:': 'heirloom snapshot memory.json --dry-run',
    'Carry a download over to other contracts, under its content hash:':
      'heirloom snapshot memory.json --salt memory.json.salt',
    'Be its creator: let the server seal it, and mint it with your own wallet:':
      'heirloom snapshot memory.json --as-wallet',
  },
  run: async (call) => {
    const source = await readSource(call, 'heirloom import')
    const { salt: saltFile } = call.options
    const salt = saltFile === undefined ? undefined : await readSalt(call.terminal, saltFile)
    const document = await documentWithoutSecrets(call, await buildDocument(source))
    await call.output.result(await mint(call, document, omitUndefined({ salt })))
  },
})

type SourceCall = Pick<Call<'FILE', typeof metadataOptions>, 'terminal' | 'options' | 'words'>

/** Reads the file of a memory, or standard input. @throws a `UsageError` that names what takes a folder */
async function readSource(call: SourceCall, importer: string): Promise<buildDocument.Source> {
  const { FILE } = call.words
  const isFolder = FILE !== '-' && statSync(FILE, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) throw new UsageError(`${FILE} is a folder. ${importer} takes folders.`)
  const bytes = await readInput(call.terminal, FILE)
  const { category, 'agent-id': agentId, version } = call.options
  const file = FILE === '-' ? 'Standard input' : FILE
  return { bytes, file, category, agentId, version, importer }
}

/** Reads the salt of a download. */
async function readSalt(terminal: Call['terminal'], file: string): Promise<Hex> {
  const text = Buffer.from(await readInput(terminal, file))
    .toString()
    .trim()
  if (isHash(text)) return text
  throw new UsageError(`--salt names ${file}, which holds no salt: 0x and 64 hexadecimal digits.`)
}

const isHash = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)

const savingOptions = {
  ...metadataOptions,
  ...secretOptions,
  ...namedSaveOptions,
} as const satisfies Options

/** Saves a memory as the next version of a name. */
export const save = command({
  about: 'Saves a memory as the next version of a private name.',
  more: [
    'The parent of the new token is the last version. Of several saves at once one wins; the others exit with 5, and mint and pay nothing. With --after also one that was saved since you looked is never overwritten unseen.',
    'The name belongs to your wallet if there is one, else to the API key or the operator. With --as-wallet your wallet also mints the token, and pays.',
    'With --grant the version belongs to the owner of the name, whose log says that you saved it.',
    'FILE is a JSON object; heirloom import --name saves Markdown, text and the memories of other programs.',
    'A memory with what looks like a secret is refused without --redact or --keep-secrets.',
  ],
  words: [
    {
      name: 'NAME',
      about: 'The name, such as ada or ada/trading; with --grant with its owner, as in 0x…:ada.',
    },
    { name: 'FILE', about: 'The memory; - for standard input.', file: true },
  ],
  options: savingOptions,
  examples: {
    'Save the next version:': 'heirloom save ada memory.json',
    'Refuse if another came after 7:': 'heirloom save ada memory.json --after 7',
    'Save to a name of your own wallet, which mints and pays:':
      'heirloom save diary memory.json --as-wallet',
  },
  run: async (call) => {
    const { NAME } = call.words
    const source = await readSource(call, `heirloom import --name ${NAME}`)
    const document = await documentWithoutSecrets(call, await buildDocument(source))
    await call.output.result(await saveNamed(call, NAME, { document }))
  },
})
