import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureFiles, largeMemory } from '../../packages/testkit/fixtures/fixture-files.ts'
import { agentOf, downloadAs, post, type Snapshot } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()

/** Returns the text between two markers. */
function between(text: string, start: string, end: string): string {
  return text.slice(text.indexOf(start) + start.length, text.lastIndexOf(end)).trim()
}

/** Extracts the document of each fixture from the positions of its members. */
const documentOf: Readonly<Record<string, (text: string) => string>> = {
  'chat.json': (text) =>
    `{"data":${between(text, '"data":', ',\n"metadata"')},"metadata":${between(text, ',\n"metadata":', '}')}}`,
  'research.json': (text) => text,
  'trading.json': (text) =>
    `{"data":${between(text, '"data":', '}')},"metadata":${between(text, '"metadata":', ',\n  "data"')}}`,
}

async function roundTrip(text: string, document: string): Promise<void> {
  const posted = await post(server.url, '/api/memory/snapshot', text)
  expect(posted.status).toBe(201)
  const { tokenId, contentHash } = (await posted.json()) as Snapshot
  const reply = await downloadAs(agentOf(server.home), server.url, tokenId)
  expect(reply.status).toBe(200)
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(bytes.equals(Buffer.from(document))).toBe(true)

  const salt = Buffer.from(reply.headers.get('x-content-salt')?.slice(2) ?? '', 'hex')
  const hash = `0x${createHash('sha256').update(salt).update(bytes).digest('hex')}`
  expect(hash).toBe(contentHash)
  expect(reply.headers.get('x-content-hash')).toBe(contentHash)
  const info = await fetch(`${server.url}/api/memory/${tokenId}/info`)
  expect(await info.json()).toMatchObject({ tokenId, contentHash })
}

describe('the memory of a real agent', () => {
  it.each(fixtureFiles())('$file is what its script generates', ({ file, text }) => {
    const path = join(import.meta.dirname, '../../packages/testkit/fixtures', file)
    expect(readFileSync(path, 'utf8') === text).toBe(true)
  })

  it.each(fixtureFiles())('$file is downloaded byte for byte', async ({ file, text }) => {
    const document = documentOf[file]?.(text) ?? ''
    expect(JSON.parse(document)).toEqual({
      data: JSON.parse(text).data,
      metadata: JSON.parse(text).metadata,
    })
    await roundTrip(text, document)
  })

  it('of 20 MB is downloaded byte for byte', async () => {
    const text = largeMemory()
    await roundTrip(text, text)
  })

  it('is downloaded byte for byte while others are snapshot', async () => {
    await Promise.all(
      [...fixtureFiles(), ...fixtureFiles()].map(({ file, text }) =>
        roundTrip(text, documentOf[file]?.(text) ?? ''),
      ),
    )
  })
})
