import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { publicAccount } from '../harness/copier.ts'
import {
  type ExpectedFolder,
  type ExpectedMemory,
  folderNames,
  foldersFolder,
} from '../harness/folders/fixture-folders.ts'
import { agentOf, hostServer } from '../harness/process/server.ts'

/** Copies the data folder of a release, and starts a server of this code on it. */
async function openFolder(name: string) {
  const home = mkdtempSync(join(tmpdir(), 'earlier-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  cpSync(join(foldersFolder, name, 'data'), home, { recursive: true })
  const server = await hostServer({ DATA_DIR: home })
  onTestFinished(async () => {
    await server.end()
  })
  const text = readFileSync(join(foldersFolder, name, 'expected.json'), 'utf8')
  const expected = JSON.parse(text) as ExpectedFolder
  const { url } = server
  const accountOf = ({ owner }: ExpectedMemory) =>
    owner === undefined ? agentOf(home) : publicAccount(owner)
  const clientOf = (memory: ExpectedMemory) => createClient({ url, account: accountOf(memory) })
  return { url, expected, clientOf, client: createClient({ url }) }
}

describe.each(folderNames)('the data folder of %s', (name) => {
  test('has the contracts of its release, and opens every memory for its owner', async () => {
    const { expected, client, clientOf } = await openFolder(name)
    expect(await client.deployment()).toMatchObject(expected.deployment)
    for (const memory of expected.memories) {
      const { tokenId, creator, contentHash, storageUri, listing } = memory
      const record = { creator, contentHash, storageUri }
      expect(await client.info(tokenId)).toMatchObject(record)
      expect(await client.listing(tokenId)).toMatchObject(listing)
      const { items } = await client.history(tokenId, { limit: 100 })
      expect(items.map(({ kind }) => kind)).toEqual(memory.history)
      const opened = await clientOf(memory).download(tokenId)
      expect(createHash('sha256').update(opened.document).digest('hex')).toBe(memory.document)
    }
  })

  test('answers a repeated request with its first transaction, and takes new ones', async () => {
    const { url, expected, client } = await openFolder(name)
    const { key, body, txHash } = expected.repeated
    const headers = { 'content-type': 'application/json', 'idempotency-key': `"${key}"` }
    const path = `${url}/api/memory/snapshot`
    const again = await fetch(path, { method: 'POST', headers, body })
    expect(await again.json()).toMatchObject({ txHash })
    const { tokenId } = await client.snapshot(JSON.parse(body))
    expect(Number(tokenId)).toBe(expected.memories.length + 1)
  })
})

test('from 0.2.0 on each release has a data folder', () => {
  expect(folderNames).toContain('0.2.0')
})
