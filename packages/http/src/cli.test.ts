import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { builtProgram } from '../test/built-program.ts'
import { memory } from '../test/server-harness.ts'

const processes: ChildProcess[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'heirloom-'))
  folders.push(made)
  return made
}

function run(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...environment }
  const child = spawn(process.execPath, [builtProgram, ...words], { env })
  processes.push(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return { child, exited, errors: text(child.stderr), lines: createInterface(child.stdout) }
}

async function startServer(environment: Readonly<Record<string, string>>) {
  const server = run(environment, 'serve')
  const failed = server.errors.then((errors) => Promise.reject(new Error(errors)))
  const [url] = await Promise.race([once(server.lines, 'line'), failed])
  failed.catch(() => undefined)
  const more: string[] = []
  server.lines.on('line', (line) => more.push(line))
  return { ...server, url: new URL(url), more }
}

const snapshot = (url: URL) =>
  fetch(new URL('/api/memory/snapshot', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(memory),
  })

const read = async (url: URL, path: string) => (await fetch(new URL(path, url))).json()

/** Opens a connection on which the server has accepted a snapshot request without its body. */
async function openRequest(url: URL) {
  const body = JSON.stringify(memory)
  const socket = connect(Number(url.port), url.hostname)
  socket.write(
    [
      'POST /api/memory/snapshot HTTP/1.1',
      `Host: ${url.host}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  )
  const [go] = await once(socket, 'data')
  expect(`${go}`).toContain('100 Continue')
  return { socket, finish: () => socket.write(body) }
}

describe('serve', () => {
  test('prints its address, protects its keys and its folder, and restarts with all its data', async () => {
    const DATA_DIR = folder()
    const first = await startServer({ DATA_DIR })
    for (const name of ['agent.key', 'master.keys', 'sealing.keys']) {
      expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600)
    }
    expect((await snapshot(first.url)).status).toBe(201)
    expect(await read(first.url, '/readyz')).toEqual({
      status: 'ok',
      components: {
        chain: 'ok',
        storage: 'ok',
        store: 'ok',
        disk: 'ok',
        catalogue: 'ok',
        keys: 'ok',
        memories: 'ok',
      },
    })
    expect(await read(first.url, '/api/wallet')).toMatchObject({
      spentToday: expect.stringMatching(/^[1-9]\d+$/),
      maxSpendPerCall: null,
      maxSpendPerDay: null,
    })
    const metrics = await (await fetch(new URL('/metrics', first.url))).text()
    expect(metrics).toContain('heirloom_jobs_total{end="settled"} 1\n')
    const before = await read(first.url, '/api/memory/1/info')
    const deployed = await read(first.url, '/api/deployment')
    expect(deployed).toMatchObject({ origin: first.url.origin, domain: first.url.host })

    const unused = folder()
    const samePort = run({ DATA_DIR: unused }, 'serve', '--port', first.url.port)
    const sameFolder = run({ DATA_DIR }, 'serve')
    expect(await samePort.errors).toMatch(/^PORT \d+ at .* is in use by another program; .*\.\n$/)
    expect(await sameFolder.errors).toMatch(/^Another server is using .*\.\n$/)
    expect(await Promise.all([samePort.exited, sameFolder.exited])).toEqual([1, 1])
    expect(readdirSync(unused)).toEqual([])
    first.child.kill('SIGTERM')
    expect([await first.exited, first.more, await first.errors]).toEqual([0, [], ''])

    const second = await startServer({ DATA_DIR })
    expect(await read(second.url, '/api/memory/1/info')).toEqual(before)
    expect(await read(second.url, '/api/deployment')).toEqual(
      // The port has changed.
      Object.assign({}, deployed, {
        rpcUrl: `${second.url.origin}/rpc`,
        origin: second.url.origin,
        domain: second.url.host,
      }),
    )
    second.child.kill('SIGINT')
    expect(await second.exited).toBe(0)
  })

  test('finishes an accepted snapshot after repeated signals', async () => {
    const server = await startServer({ DATA_DIR: folder() })
    const { socket, finish } = await openRequest(server.url)
    server.child.kill('SIGTERM')
    server.child.kill('SIGTERM')
    finish()
    const [reply] = await once(socket, 'data')
    expect(`${reply}`).toContain('201 Created')
    expect(await server.exited).toBe(0)
  })

  test('exits at once on a second signal', async () => {
    const server = await startServer({ DATA_DIR: folder() })
    await openRequest(server.url)
    server.child.kill('SIGTERM')
    server.child.kill('SIGINT')
    expect(await server.exited).toBe(1)
  })
})

describe('a command that cannot run', () => {
  const key = '1'.repeat(64)
  const unreachable = { RPC_URL: 'http://127.0.0.1:1', AGENT_PRIVATE_KEY: key, MASTER_KEYS: key }
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const pair = { REGISTRY_ADDRESS: address, MARKETPLACE_ADDRESS: address }

  const noChain = /^The chain did not answer .*\.\n$/
  const unknown =
    /^(There is no command sell\. Did you mean heirloom offer\?|No such command\.) heirloom --help lists all commands\.( One argument looks like .*)?\n$/
  const cases: readonly [Readonly<Record<string, string>>, readonly string[], number, RegExp][] = [
    [{}, ['sell'], 2, unknown],
    [{}, [key], 2, unknown],
    [{}, ['serve', '--prot=1'], 2, /^heirloom serve has no option --prot, but --port; .*\n$/],
    [{}, ['deploy', '--dry'], 2, /^heirloom deploy has no option --dry; .*\n$/],
    [{}, ['deploy', `--key=${key}`], 2, /^heirloom deploy has no option --key; .*\n$/],
    [{}, ['deploy', key], 2, /^heirloom deploy takes .*\n$/],
    [{ ...unreachable, ...pair, RPC_WAIT: '0' }, ['serve'], 1, noChain],
    [{ ...unreachable, MASTER_KEYS: '', HOST: '0.0.0.0' }, ['deploy'], 1, noChain],
    [
      { RPC_URL: unreachable.RPC_URL },
      ['deploy', '--dry-run'],
      1,
      /^(.*\n)?The chain did not answer /,
    ],
    [{}, ['deploy'], 1, /^RPC_URL must name the chain.*\.\n$/],
    [{ IPFS_PEERS: 'one' }, ['serve'], 1, /^IPFS_PEERS holds one, which is no multiaddr .*\.\n$/],
    [{ IPFS_LISTEN: '/ip4/1' }, ['serve'], 1, /^IPFS_LISTEN holds .*\.\n$/],
    [
      { IPFS_LISTEN: '/ip4/203.0.113.9/tcp/4001' },
      ['serve'],
      1,
      /^IPFS_LISTEN names .* cannot listen; .*\.\n$/,
    ],
    [
      { DATABASE_URL: `postgres://user:${key}@127.0.0.1:1/heirloom` },
      ['serve'],
      1,
      /^DATABASE_URL does not let .*: connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/,
    ],
  ]

  test('explains why in one sentence', async () => {
    const runs = cases.map(async ([environment, words, code, sentence]) => {
      const { errors, exited } = run({ DATA_DIR: folder(), ...environment }, ...words)
      expect(await errors).toMatch(sentence)
      expect(await errors).not.toContain(key)
      expect(await exited).toBe(code)
    })
    await Promise.all(runs)
  })
})
