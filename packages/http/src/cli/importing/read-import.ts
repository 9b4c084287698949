import { open, readdir, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Call } from '../arguments/command.ts'
import { cannotRead } from '../terminal/files.ts'
import { type ReadFiles, readSourceFiles } from '../terminal/source-files.ts'
import { isLive, readLive } from './live-source.ts'

type ImportCall = Pick<Call, 'terminal' | 'signal'>

/** Reads what is one memory: a file, a folder, a database or a live server. */
export async function readImport(
  call: ImportCall,
  path: string,
  only: string | undefined,
): Promise<ReadFiles> {
  if (isLive(path)) return oneFile(await readLive(call, path, only))
  if ((await kindOf(path)) !== 'sqlite') return readSourceFiles(path)
  const { readSqliteCheckpoints } = await import('@heirloom/adapters/formats/sources')
  return oneFile(readSqliteCheckpoints(path, { thread: only }))
}

const oneFile = ({ file, left }: Awaited<ReturnType<typeof readLive>>): ReadFiles => ({
  files: [file],
  left,
})

/** Says of a path that is a symbolic link where it leads. */
export async function noteLink({ output }: Pick<Call, 'output'>, path: string): Promise<void> {
  const target = await readlink(path).catch(() => undefined)
  if (target === undefined) return
  await output.note(`${path} is a symbolic link to ${target}; it is followed, since you named it.`)
}

/** The most bytes of a file that is read as one memory. */
const longestFile = 64 * 2 ** 20

/**
 * Returns whether a path is an export that may be several memories: a zip, a folder with
 * conversations, or a file of conversations that is too long, or of which some are chosen.
 */
export async function isArchive(path: string, isChoosing: boolean): Promise<boolean> {
  if (isLive(path)) return false
  const kind = await kindOf(path)
  if (kind === 'zip') return true
  if (kind === 'folder') return (await readdir(path)).some((name) => conversations.test(name))
  if (kind === 'sqlite') return false
  if (isChoosing) return true
  return conversations.test(basename(path)) && (await stat(path)).size > longestFile
}

const conversations = /^conversations(?:-\d{1,6})?\.json$/

type Kind = 'zip' | 'sqlite' | 'folder' | 'file'

async function kindOf(path: string): Promise<Kind> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) return 'file'
  const start = await readStart(path)
  if (start === 'SQLite format 3\0') return 'sqlite'
  return zipStarts.some((it) => start.startsWith(it)) ? 'zip' : 'file'
}

/** The first bytes of a zip, and of one without entries. */
const zipStarts = ['PK\u0003\u0004', 'PK\u0005\u0006']

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
