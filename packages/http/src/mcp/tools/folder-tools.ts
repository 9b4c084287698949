import { isAbsolute, normalize, sep } from 'node:path'
import { Failure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Minted, TokenId } from '../../api/schemas.ts'
import { snapshotDocument } from './snapshot-document.ts'
import { type Session, type Tool, tool } from './tool.ts'
import {
  argumentsSchema,
  snapshotOptions,
  saltArgument,
  describeOpened,
  path,
  SavedMemory,
  Verified,
} from './tool-schemas.ts'
import { verify } from './verify.ts'

/** Memories as files, for those that are too long for a model or must keep every byte. */
export const folderTools: readonly Tool[] = [
  tool({
    reach: 'folder',
    effect: 'saves',
    name: 'memory_save',
    title: 'Save a memory as a file',
    description:
      'Opens a memory that the wallet of this session owns or rents, checks it against the chain and saves it, byte for byte, as a new file with the name of a text, such as memory.json.',
    input: argumentsSchema({ tokenId: TokenId, path }),
    output: SavedMemory,
    run: async ({ client, ...session }, { tokenId, path: file }, { signal }) => {
      await refuseUnsafe(file)
      const memory = await client.download(tokenId, { signal })
      await folderOf(session).save(file, memory.document)
      return { ...describeOpened(memory), path: file }
    },
    say: ({ tokenId, path: file, bytes }) => `Saved token ${tokenId} as ${file}, ${bytes} bytes.`,
  }),
  tool({
    reach: 'folder',
    effect: 'mints',
    name: 'memory_snapshot_file',
    title: 'Make a memory of a file',
    description:
      'Seals a file of the JSON text {"data":…,"metadata":{"category":…}}, byte for byte, and mints a token; the agent wallet pays the gas.',
    input: argumentsSchema({ path, ...snapshotOptions }),
    output: Minted,
    run: async (session, { path: file, ...more }, { signal }) => {
      const bytes = await folderOf(session).read(file)
      return snapshotDocument(session, { ...more, document: textOf(bytes), signal })
    },
    say: ({ tokenId }) => `Minted token ${tokenId}.`,
  }),
  tool({
    reach: 'folder',
    effect: 'reads',
    name: 'memory_verify_file',
    title: 'Whether a file is the memory that was snapshot',
    description:
      'Compares sha256 of the salt and a file with the content hash on the chain. Without a salt the memory is opened to learn it.',
    input: argumentsSchema({ tokenId: TokenId, path, salt: Type.Optional(saltArgument) }),
    output: Verified,
    run: async ({ client, ...session }, { tokenId, path: file, salt }, { signal }) => {
      const document = await folderOf(session).read(file)
      if (salt !== undefined) {
        return verify(await client.info(tokenId, { signal }), { salt, document })
      }
      const memory = await client.download(tokenId, { signal })
      return verify(memory, { salt: memory.salt, document })
    },
    say: ({ tokenId, matches }) => `The file is ${matches ? '' : 'not '}that of token ${tokenId}.`,
  }),
]

/** A memory may have talked a model into a name that programs read. */
async function refuseUnsafe(file: string): Promise<void> {
  const { nameProblem } = await import('@heirloom/adapters/formats')
  const name = normalize(file).replaceAll(sep, '/')
  // What leads out of the folder is refused by the folder.
  if (name.startsWith('..') || isAbsolute(name)) return
  const why = nameProblem(name, { json: true })
  if (why === undefined) return
  const problem = `must name a text that no program runs or reads: ${why}`
  throw new Failure('request/malformed', { where: 'path', problem })
}

function folderOf({ folder }: Pick<Session, 'folder'>): NonNullable<Session['folder']> {
  if (folder === undefined) throw new Error('A tool of a folder was called without one.')
  return folder
}

// What is no UTF-8 is refused by the server too, but by then it would be another text.
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure('request/malformed', { where: 'path', problem: 'must be a file of UTF-8' })
  }
}
