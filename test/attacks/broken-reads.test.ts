import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  type BundleReader,
  type Cipher,
  documentStart,
  type Segment,
  surveySegment,
} from '@heirloom/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  proofOf,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'

/** Half of the budget is less than one document, so that a client has one at a time. */
const downloadBytes = 60_000
const data = { text: 'x'.repeat(50_000) }

/** The gate of the next opening or reading, which tells that somebody waits before it. */
const openGate = { isOpen: Promise.resolve(), open: () => {}, hasBegun: () => {} }
let gate = openGate
const closed: (() => void)[] = []

/** Closes the gate; returns when somebody waits before it. */
function closeGate(): Promise<void> {
  const opening = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  gate = { isOpen: opening.promise, open: opening.resolve, hasBegun: begun.resolve }
  closed.push(gate.open)
  return begun.promise
}

async function passGate(): Promise<void> {
  gate.hasBegun()
  await gate.isOpen
}

/** Opens bundles behind the gate, and reads them in pieces, one of which is behind the gate. */
const gated = (cipher: Cipher): Cipher => ({
  ...cipher,
  open: async (...sealed) => {
    await passGate()
    return cipher.open(...sealed)
  },
  inspect: (head) => ({
    ...cipher.inspect(head),
    packs: [cipher.inspect(head).contentHash] as never,
  }),
  reader: async (...sealed): Promise<BundleReader> => {
    const { document, ...opened } = await cipher.open(...sealed)
    const segments: Segment[] = []
    let from = documentStart
    for (let offset = 0; offset < document.length; offset += 4096) {
      const bytes = document.subarray(offset, offset + 4096)
      const { survey, next } = surveySegment(bytes, from)
      segments.push({ offset, length: bytes.length, from, survey })
      from = next
    }
    const read = async (index: number) => {
      // Inside of the text: it is measured and counted before, and then read.
      if (index === 1) await passGate()
      return document.slice(index * 4096, index * 4096 + 4096)
    }
    return { ...opened, length: document.length, segments: async () => segments, read }
  },
})

let harness: ServerHarness
let id: string
let url: URL
beforeAll(async () => {
  harness = openHarness({ cipherThrough: gated, config: { bounds: { downloadBytes } } })
  id = await mintToken(harness, { data })
  url = new URL(await harness.server.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(() => {
  for (const open of closed) open()
  return harness.server.close()
})

const headers = () => proofOf(agent, id, secondsOf(harness))

const statusOf = async (path: string) =>
  (await fetch(new URL(path, url), { headers: await headers() })).status

/** Sends a request and leaves once it is worked on; returns when the server knows. */
async function leaveDuring(path: string): Promise<void> {
  const begun = closeGate()
  const connected = once(harness.server.server, 'connection') as Promise<[Socket]>
  const client = connect(Number(url.port), url.hostname)
  const lines = Object.entries({ host: url.host, ...(await headers()) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  client.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`)
  const [socket] = await connected
  await begun
  const left = once(socket, 'close')
  client.destroy()
  await left
}

describe('a client that leaves while the server works for it', () => {
  test('holds nothing of the budget of downloads afterwards', async () => {
    expect(await statusOf(`/api/memory/${id}`)).toBe(200)
    await leaveDuring(`/api/memory/${id}`)
    gate.open()
    gate = openGate
    await expect.poll(() => statusOf(`/api/memory/${id}`)).toBe(200)
  })

  test('holds the bytes of a part until they are read, and nothing afterwards', async () => {
    const part = `/api/memory/${id}/part?pointer=/data/text`
    await leaveDuring(part)
    const { open } = gate
    gate = openGate
    expect(await statusOf(part)).toBe(429)
    open()
    await expect.poll(() => statusOf(part)).toBe(200)
  })
})
