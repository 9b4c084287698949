import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  agentOf,
  post,
  proofHeaders,
  type RunningServer,
  type Snapshot,
  startServer,
} from '../harness/process/server.ts'
import { yardstick } from '../harness/yardstick.ts'

const mebibyte = 2 ** 20
const home = mkdtempSync(join(tmpdir(), 'unread-'))
let server: RunningServer
let proof: Record<string, string>
beforeAll(async () => {
  server = await startServer({ DATA_DIR: home })
  // A little less than the length from which a memory is opened beside the event loop.
  const data = { noise: randomBytes(97_000).toString('base64') }
  const body = JSON.stringify({ data, metadata: { category: 'research' } })
  expect(await (await post(server.url, '/api/memory/snapshot', body)).json()).toMatchObject({
    tokenId: '1',
  } satisfies Partial<Snapshot>)
  proof = await proofHeaders(agentOf(home), '1')
})
afterAll(async () => {
  await server.end('SIGKILL')
  rmSync(home, { recursive: true })
})

/** Returns the memory that the server holds, in bytes. */
function memoryHeld(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Sends requests from one address on one connection, and reads nothing. */
async function sendUnread(address: number, request: string): Promise<Socket> {
  const { port } = new URL(server.url)
  const localAddress = `127.0.1.${address}`
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }).pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request)
  return socket
}

const requestTo = (path: string, headers: Record<string, string>) => {
  const lines = Object.entries({ host: new URL(server.url).host, ...headers })
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** A request for the code of a contract, a hundred times. */
async function batchForCode(): Promise<string> {
  const body = JSON.stringify(Array(100).fill(await codeCall()))
  const type = 'content-type: application/json'
  const lines = [`host: ${new URL(server.url).host}`, type, `content-length: ${body.length}`]
  return `POST /rpc HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

async function codeCall() {
  const deployment = await (await fetch(`${server.url}/api/deployment`)).json()
  const { marketplace } = deployment as { readonly marketplace: string }
  return { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [marketplace, 'latest'] }
}

/** Returns the processor time that the event loop of the server has used, in milliseconds. */
function loopTime(): number {
  const { pid } = server.process
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  return 10 * (Number(fields?.[11]) + Number(fields?.[12]))
}

/** Returns the longest work of the event loop between a call of /livez and its answer, in milliseconds. */
async function slowestLivez(times: number): Promise<number> {
  let slowest = 0
  for (let round = 0; round < times; round++) {
    const began = loopTime()
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    slowest = Math.max(slowest, loopTime() - began)
  }
  return slowest
}

// Other systems have one loopback address, and no /proc.
describe.skipIf(platform() !== 'linux')('many addresses that read no response', () => {
  test.each([
    ['64 downloads of 128 KiB', '/api/memory/1'],
    ['64 descriptions of the API', '/openapi.json'],
  ])('leave the server its memory, and its time, with %s on each connection', async (_, path) => {
    const request = requestTo(path, path === '/api/memory/1' ? proof : {}).repeat(64)
    await (await fetch(`${server.url}${path}`, { headers: proof })).arrayBuffer()
    const before = memoryHeld()
    const sockets: Socket[] = []
    for (let address = 1; address <= 100; address++)
      sockets.push(await sendUnread(address, request))
    const slowest = await slowestLivez(200)
    const grown = memoryHeld() - before
    for (const socket of sockets) socket.destroy()
    // What was asked for is 800 MiB of downloads.
    expect(grown).toBeLessThan(200 * mebibyte)
    expect(slowest).toBeLessThan(50 * (await yardstick()))
  })

  test('leave the server its memory, and others their calls, with code of contracts', async () => {
    const request = await batchForCode()
    const before = memoryHeld()
    const sockets: Socket[] = []
    for (let address = 1; address <= 100; address++) {
      const socket = await sendUnread(address, request)
      sockets.push(socket)
      // Each batch is handled before the next one comes.
      await once(socket.resume(), 'data')
      socket.pause()
    }
    const grown = memoryHeld() - before
    const answer = await post(server.url, '/rpc', JSON.stringify(Array(9).fill(await codeCall())))
    for (const socket of sockets) socket.destroy()
    // What was asked for is 480 MB.
    expect(grown).toBeLessThan(250 * mebibyte)
    expect((await answer.text()).length).toBeGreaterThan(9 * 40_000)
  })
})

test('a patient client gets the responses to all requests that it sent at once, in order', async () => {
  const paths = ['/livez', '/api/memory/1', '/api/wallet', '/livez']
  const socket = await sendUnread(200, paths.map((path) => requestTo(path, proof)).join(''))
  const marks = /"ok"|x-content-hash|"maxSpendPerDay"/g
  let found: readonly string[] = []
  let text = ''
  for await (const chunk of socket.setEncoding('latin1').resume()) {
    text += chunk
    found = text.match(marks) ?? []
    if (found.length === paths.length) break
  }
  expect(found).toEqual(['"ok"', 'x-content-hash', '"maxSpendPerDay"', '"ok"'])
})
