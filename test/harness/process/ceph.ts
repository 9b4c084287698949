import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'
import { end } from './child-process.ts'
import { freePort } from './free-port.ts'

/** A running Ceph cluster on this machine, whose object gateway speaks S3. */
export type Ceph = {
  /** The endpoint of the gateway. */
  readonly url: string
  /** The access key of a user who may create buckets, as an AWS program takes it. */
  readonly environment: {
    readonly AWS_ACCESS_KEY_ID: string
    readonly AWS_SECRET_ACCESS_KEY: string
  }
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)

/** The access key of the only user of the gateway. */
const keys = { AWS_ACCESS_KEY_ID: 'heirloom-test', AWS_SECRET_ACCESS_KEY: 'secret-of-the-test' }

/**
 * Starts a monitor, a disk in memory and an object gateway, each on a free loopback port. The
 * programs of Debian are installed by apt where they are missing.
 *
 * @throws an error with a remedy when they cannot be installed
 */
export async function startCeph(): Promise<Ceph> {
  requirePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'ceph-'))
  const started: ChildProcess[] = []
  const stop = async () => {
    // The gateway first: the others wait for their clients.
    for (const it of started.toReversed()) await end(it, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const url = await startParts(folder, (program, ...args) => {
      started.push(spawn(program, [...args, '-f'], { stdio: 'ignore', cwd: folder }))
    })
    return { url, environment: keys, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Start = (program: string, ...args: readonly string[]) => void

async function startParts(folder: string, start: Start): Promise<string> {
  const [monitor, gateway] = [await freePort(), await freePort()]
  const config = writeConfig(folder, monitor)
  const common = ['-c', config]
  for (const name of ['mon', 'osd']) mkdirSync(join(folder, name))
  await run('ceph-mon', [...common, '--mkfs', '-i', 'a', '--monmap', await mapOf(folder, monitor)])
  start('ceph-mon', ...common, '-i', 'a')
  const disk = randomUUID()
  await run('ceph', [...common, '--connect-timeout', '60', 'osd', 'new', disk, '0'])
  await run('ceph-osd', [...common, '-i', '0', '--mkfs', '--osd-uuid', disk])
  start('ceph-osd', ...common, '-i', '0')
  const user = ['user', 'create', '--uid=test', '--display-name=test']
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = keys
  await run('radosgw-admin', [...common, ...user, `--access-key=${id}`, `--secret-key=${secret}`])
  const frontend = `beast endpoint=127.0.0.1:${gateway}`
  // By default a gateway wants an encrypted connection, which there is not without keys.
  const plain = '--ms-mon-client-mode=crc'
  start('radosgw', ...common, '-n', 'client.gateway', plain, `--rgw-frontends=${frontend}`)
  const url = `http://127.0.0.1:${gateway}`
  await waitUntilUp(url, join(folder, 'client.gateway.log'))
  return url
}

/** Describes a cluster without keys of its own, that has one copy of everything, in memory. */
function writeConfig(folder: string, monitor: number): string {
  const settings = {
    fsid: randomUUID(),
    'mon host': `[v2:127.0.0.1:${monitor}/0]`,
    'mon initial members': 'a',
    'public addr': '127.0.0.1',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 1,
    'osd crush chooseleaf type': 0,
    'mon allow pool size one': true,
    'mon data avail crit': 0,
    // By default a monitor gathers changes for a second, and each pool of the gateway is several.
    'paxos propose interval': 0.01,
    'paxos min wait': 0.01,
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 30,
    'run dir': folder,
    'log file': join(folder, '$name.log'),
    'admin socket': '',
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'ceph.conf')
  writeFileSync(file, ['[global]', ...lines, ''].join('\n'))
  return file
}

async function mapOf(folder: string, monitor: number): Promise<string> {
  const file = join(folder, 'monmap')
  const fsid = /fsid = (\S+)/.exec(readFileSync(join(folder, 'ceph.conf'), 'utf8'))?.[1] ?? ''
  const address = `[v2:127.0.0.1:${monitor}/0]`
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, file])
  return file
}

/** Waits for the first answer of the gateway, which says so nowhere else. */
async function waitUntilUp(url: string, log: string): Promise<void> {
  await vi
    .waitFor(() => fetch(url), { timeout: longestWait, interval: 100 })
    .catch((cause: unknown) => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : 'It wrote no log.'
      throw new Error(`The object gateway of Ceph did not start. ${lines}`, { cause })
    })
}

const packages = ['radosgw', 'ceph-mon', 'ceph-osd']

function requirePrograms(): void {
  if (['radosgw', 'ceph-mon', 'ceph-osd'].every((name) => existsSync(`/usr/bin/${name}`))) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '--no-install-recommends', ...packages]
    for (const args of [['update'], install]) {
      execFileSync('apt-get', ['-qq', ...args], { stdio: 'ignore', env })
    }
    return
  }
  throw new Error(`The tests of S3 need Ceph's object gateway: install ${packages.join(', ')}.`)
}
