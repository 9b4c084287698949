import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileKeyStore } from './file-key-store.ts'
import { encodeKeyDocument } from './key-record.ts'
import { keyStoreLaws } from './test/key-store-laws.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

describe('a key store in a file', () => {
  test.each(keyStoreLaws)('$name', async ({ holds }) => {
    const folder = temporaryFolder()
    const store = fileKeyStore({ folder })
    await holds({
      store,
      restore: async (document) => writeFileSync(store.place, encodeKeyDocument(document)),
    })
  })

  test('writes files that only their owner can read, also when a crash left unfinished ones', async () => {
    const folder = temporaryFolder()
    const store = fileKeyStore({ folder })
    for (const name of ['sealing.keys', 'destroyed.keys']) {
      writeFileSync(join(folder, `${name}.unfinished`), 'hal')
      chmodSync(join(folder, `${name}.unfinished`), 0o666)
    }
    await store.commit({ epoch: 1, records: [] })
    await store.noteDestroyed(['ab'.repeat(16)])
    expect(readdirSync(folder).toSorted()).toEqual(['destroyed.keys', 'sealing.keys'])
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    }
  })

  const valid = { epoch: 1, records: [] }
  const record = {
    id: 'ab'.repeat(16),
    tenant: 'default',
    state: 'sealing',
    epoch: 1,
    createdAt: 0,
    master: 'cd',
    masters: ['cd'],
    wrapped: 'AAAA',
  }
  test.each([
    ['is empty', ''],
    ['is not JSON', 'secret'],
    ['has another format', JSON.stringify({ format: 'heirloom-sealing-keys/2', ...valid })],
    ['has an invalid epoch', encodeKeyDocument({ ...valid, epoch: -1 })],
    ['has a record twice', encodeKeyDocument({ epoch: 1, records: [record, record] as never })],
    ...Object.keys(record).map((name): [string, string] => [
      `has a record without ${name}`,
      encodeKeyDocument({ epoch: 1, records: [{ ...record, [name]: undefined }] as never }),
    ]),
  ])('refuses a file that %s, and gives its path', async (_, text) => {
    const store = fileKeyStore({ folder: temporaryFolder() })
    writeFileSync(store.place, text)
    const refusal = await store.read().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'keys/unusable' })
    expect(String(refusal)).toContain(store.place)
    expect(String(refusal)).not.toContain('secret ')
    await expect(store.commit({ epoch: 2, records: [] })).rejects.toMatchObject({
      code: 'keys/unusable',
    })
    expect(readFileSync(store.place, 'utf8')).toBe(text)
  })
})
