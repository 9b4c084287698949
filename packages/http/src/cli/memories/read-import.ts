import { open, readdir, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { LiveServer, Mem0Filter, ReadSource } from '@heirloom/adapters/formats/sources'
import { type Call, UsageError } from '../arguments/command.ts'
import { cannotRead } from '../terminal/files.ts'
import { type ReadFiles, readSourceFiles } from './source-files.ts'

type LiveCall = Pick<Call, 'terminal' | 'signal'>

/** Returns whether a path names a live server or a database instead of a file. */
export const isLive = (path: string): boolean => /^(?:letta|mem0|postgres|postgresql):/.test(path)

/**
 * Reads a memory from where its program stores it: `letta:AGENT`, `mem0:user_id=ada` or
 * `postgres://host/database`.
 *
 * @throws a `UsageError` for an address that names too little, or a password
 */
async function readLive(
  call: LiveCall,
  path: string,
  thread: string | undefined,
): Promise<ReadSource> {
  const sources = await loadSources()
  const [, scheme, rest = ''] = /^([a-z0-9]+):(.*)$/s.exec(path) ?? []
  if (scheme === 'letta') return sources.readLettaAgent(await lettaServer(call), agentOf(rest))
  if (scheme === 'mem0') {
    return sources.readMem0Memories(await mem0Server(call), filterOf(rest))
  }
  const { url, schema } = readPostgresAddress(path)
  return sources.readPostgresCheckpoints(url, { thread, schema })
}

function agentOf(rest: string): string {
  if (/^[\w.-]{1,128}$/.test(rest)) return rest
  throw new UsageError(
    'Name the agent, as in letta:agent-4f0c…; its id is in its address in Letta.',
  )
}

/** Returns the server of Letta that the environment names, as Letta's own clients do. */
export async function lettaServer({ terminal, signal }: LiveCall): Promise<LiveServer> {
  const { lettaCloud } = await loadSources()
  const { LETTA_BASE_URL: url = lettaCloud, LETTA_API_KEY: apiKey } = terminal.env
  return { url, apiKey, signal }
}

async function mem0Server({ terminal, signal }: LiveCall): Promise<LiveServer> {
  const { mem0Cloud } = await loadSources()
  const { MEM0_HOST: url = mem0Cloud, MEM0_API_KEY: apiKey } = terminal.env
  return { url, apiKey, signal }
}

const filterNames = ['user_id', 'agent_id', 'app_id', 'run_id'] as const

function filterOf(rest: string): Mem0Filter {
  const given = [...new URLSearchParams(rest)]
  const isKnown = given.every(
    ([name, value]) => filterNames.some((it) => it === name) && value !== '',
  )
  if (given.length > 0 && isKnown) return Object.fromEntries(given)
  throw new UsageError(`Say whose memories, as in mem0:user_id=ada; ${filterNames.join(', ')}.`)
}

/** Splits the schema off the address of a database. @throws a `UsageError` for a password in it */
export function readPostgresAddress(path: string) {
  const url = URL.canParse(path) ? new URL(path) : undefined
  if (url === undefined) throw new UsageError('The address of the database is no URL.')
  if (url.password !== '' || url.searchParams.has('password')) {
    throw new UsageError('Other users see a password in an address; set PGPASSWORD instead.')
  }
  const schema = url.searchParams.get('schema') ?? undefined
  url.searchParams.delete('schema')
  return { url: url.href, schema }
}

type ImportCall = Pick<Call, 'terminal' | 'signal'>

/** Reads what is one memory: a file, a folder, a database or a live server. */
export async function readImport(
  call: ImportCall,
  path: string,
  only: string | undefined,
): Promise<ReadFiles> {
  if (isLive(path)) return oneFile(await readLive(call, path, only))
  const kind = await kindOf(path)
  if (kind === 'png') return readCard(path)
  if (kind === 'file' || kind === 'folder') return readSourceFiles(path)
  const { readOpenMemory, readSqliteCheckpoints } = await loadSources()
  if (kind === 'zip') return oneFile(await readOpenMemory(path))
  return oneFile(readSqliteCheckpoints(path, { thread: only }))
}

const loadSources = () => import('@heirloom/adapters/formats/sources')

const isOpenMemory = async (path: string) => (await loadSources()).isOpenMemory(path)

/** Reads the character card that a picture carries. */
async function readCard(path: string): Promise<ReadFiles> {
  const { files, left } = await readSourceFiles(path)
  const { readCharacterCard } = await loadSources()
  const [file] = files
  return file === undefined ? { files, left } : oneFile(readCharacterCard(file))
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
 * Returns whether a path is an export that may be several memories: a zip other than that of
 * OpenMemory, a folder with conversations, or a file of conversations that is too long, or of which some are chosen.
 */
export async function isArchive(path: string, isChoosing: boolean): Promise<boolean> {
  if (isLive(path)) return false
  const kind = await kindOf(path)
  if (kind === 'zip') return isChoosing || !(await isOpenMemory(path))
  if (kind === 'folder') return (await readdir(path)).some((name) => conversations.test(name))
  if (kind === 'sqlite' || kind === 'png') return false
  if (isChoosing) return true
  return conversations.test(basename(path)) && (await stat(path)).size > longestFile
}

const conversations = /^conversations(?:-\d{1,6})?\.json$/

type Kind = 'zip' | 'sqlite' | 'png' | 'folder' | 'file'

async function kindOf(path: string): Promise<Kind> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) return 'file'
  const start = await readStart(path)
  if (start === 'SQLite format 3\0') return 'sqlite'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
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
