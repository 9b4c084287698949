import { isAbsolute, normalize, sep } from 'node:path'
import { Failure } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Minted } from '../../api/schemas/memory-schemas.ts'
import { TokenId } from '../../api/schemas/schema-parts.ts'
import { describeLie } from '../../client/check-sample.ts'
import { flaggedArgument, guardOf } from '../guard.ts'
import { noteOf } from '../guarded-tool.ts'
import { verify } from './memory-folder.ts'
import { snapshotDocument } from './snapshot-document.ts'
import { type Session, type Tool, tool } from './tool.ts'
import {
  argumentsSchema,
  describeOpened,
  pathArgument,
  SavedMemory,
  saltArgument,
  snapshotOptions,
  Verified,
} from './tool-schemas.ts'

/** The tools for memories as files: long ones, and those that must keep every byte. */
export const folderTools: readonly Tool[] = [
  tool({
    reach: 'folder',
    effect: 'saves',
    name: 'memory_save',
    title: 'Save a memory as a file',
    description:
      'Opens a memory that the wallet of this session owns or rents, verifies it against the chain and saves it, byte for byte, as a new text file such as memory.json; as memory.json.quarantined when the memory of another holds text that could mislead its reader.',
    input: argumentsSchema({ tokenId: TokenId, path: pathArgument, flagged: flaggedArgument }),
    output: SavedMemory,
    run: async ({ client, ...session }, { tokenId, path: given, flagged }, { signal }) => {
      await requireSafeName(given)
      const memory = await client.download(tokenId, { signal })
      const guard = memory.isScanned ? guardOf(memory.findings, flagged) : undefined
      const file = guard?.findings === undefined || flagged ? given : `${given}.quarantined`
      await folderOf(session).save(file, memory.document)
      const opened = await describeOpened(client, memory, { signal })
      return { ...opened, ...(guard && { guard }), path: file }
    },
    summarize: ({ tokenId, path: file, bytes, sample, guard }) =>
      `Saved token ${tokenId} as ${file}, ${bytes} bytes.${noteOf(guard === undefined ? {} : { guard })}${sample?.isTrue === false ? ` ${describeLie(sample)}` : ''}`,
  }),
  tool({
    reach: 'folder',
    effect: 'mints',
    name: 'memory_snapshot_file',
    title: 'Snapshot a file',
    description:
      'Encrypts and stores a file with the JSON text {"data":…,"metadata":{"category":…}}, byte for byte, and mints a token; the agent wallet pays the gas.',
    input: argumentsSchema({ path: pathArgument, ...snapshotOptions }),
    output: Minted,
    run: async (session, { path: file, ...more }, context) => {
      const bytes = await folderOf(session).read(file)
      return snapshotDocument(session, { ...more, document: decodeUtf8(bytes), context })
    },
    summarize: ({ tokenId }) => `Minted token ${tokenId}.`,
  }),
  tool({
    reach: 'folder',
    effect: 'reads',
    name: 'memory_verify_file',
    title: 'Verify a file against the chain',
    description:
      'Compares the sha256 of the salt and a file with the content hash on the chain. Without a salt, the memory is opened to get it.',
    input: argumentsSchema({
      tokenId: TokenId,
      path: pathArgument,
      salt: Type.Optional(saltArgument),
    }),
    output: Verified,
    run: async ({ client, ...session }, { tokenId, path: file, salt }, { signal }) => {
      const document = await folderOf(session).read(file)
      if (salt !== undefined) {
        return verify(await client.info(tokenId, { signal }), { salt, document })
      }
      const memory = await client.download(tokenId, { signal, scan: 'never' })
      return verify(memory, { salt: memory.salt, document })
    },
    summarize: ({ tokenId, matches }) =>
      `The file ${matches ? 'matches' : 'does not match'} token ${tokenId}.`,
  }),
]

/** Throws for a name that programs read or run; a memory may have deceived the model. */
async function requireSafeName(file: string): Promise<void> {
  const { nameProblem } = await import('@heirloom/adapters/formats')
  const name = normalize(file).replaceAll(sep, '/')
  // The folder itself refuses paths that lead out of it.
  if (name.startsWith('..') || isAbsolute(name)) return
  const why = nameProblem(name, { json: true })
  if (why === undefined) return
  const problem = `must name a text file that no program runs or reads: ${why}`
  throw new Failure('request/malformed', { where: 'path', problem })
}

function folderOf({ folder }: Pick<Session, 'folder'>): NonNullable<Session['folder']> {
  if (folder === undefined) throw new Error('A folder tool was called without a folder.')
  return folder
}

// Decoding must fail here: replacement characters would change the document.
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure('request/malformed', { where: 'path', problem: 'must be a UTF-8 file' })
  }
}
