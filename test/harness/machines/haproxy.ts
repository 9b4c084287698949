import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'
import { end } from '../process/child-process.ts'
import { freePort } from '../process/free-port.ts'
import { type Balancer, isReady } from './balancer.ts'

const deployed = fileURLToPath(new URL('../../../deploy/haproxy.cfg', import.meta.url))

/**
 * Starts HAProxy with deploy/haproxy.cfg in front of three servers, which it checks by itself: nobody
 * tells it that a server stops. The program of Debian is installed by apt where it is missing.
 */
export async function startHaproxy(servers: readonly URL[]): Promise<Balancer> {
  requireProgram()
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configOf(port, servers))
  const proxy = spawn(program, ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    url,
    add: async (server) => {
      for (const each of [server, url])
        await vi.waitUntil(() => isReady(each), { timeout: longestWait, interval: 100 })
    },
    drain: async () => undefined,
    remove: () => undefined,
    close: async () => {
      await end(proxy, 'SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}

/** Returns the deployed configuration on loopback: other addresses, no names of containers, and few files. */
function configOf(port: number, servers: readonly URL[]): string {
  const text = readFileSync(deployed, 'utf8')
    .replace('maxconn 10000', 'maxconn 1000')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replace(' resolvers docker init-addr libc,none', '')
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
  return servers.reduce(
    (config, { host }, index) => config.replaceAll(`heirloom-${index + 1}:3000`, host),
    text,
  )
}

const program = '/usr/sbin/haproxy'

function requireProgram(): void {
  if (existsSync(program)) return
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe' })
    const options = ['install', '-qq', '-y', '--no-install-recommends', 'haproxy']
    execFileSync('apt-get', options, { stdio: 'pipe' })
  } catch (cause) {
    throw new Error('This test needs HAProxy; on Debian: sudo apt-get install haproxy', { cause })
  }
}
