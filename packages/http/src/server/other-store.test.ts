import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blobModule } from '../../test/blob-module.ts'
import {
  installation,
  namesOf,
  onlyFailure,
  runDoctor,
  startServer,
  useInstallations,
} from '../../test/installation.ts'
import { readConfig } from '../config/config.ts'
import { serve } from './serve.ts'

useInstallations()

const refusal = { code: 'config/invalid', facts: { name: 'BLOB_STORE' } }

/** Returns the settings of a server on a folder with a module, which it writes. */
function withModule(DATA_DIR: string) {
  const BLOB_STORE = join(DATA_DIR, 'module.js')
  writeFileSync(BLOB_STORE, blobModule())
  return { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', BLOB_STORE }
}

describe('a folder with IPFS blocks', () => {
  test('refuses a module until the blocks are put away', async () => {
    const folder = installation()
    const env = withModule(folder)
    await expect(serve(readConfig(env))).rejects.toMatchObject(refusal)
    expect(existsSync(join(folder, 'blob-store'))).toBe(false)
    renameSync(join(folder, 'blobs'), join(folder, 'old-blobs'))
    for (let time = 0; time < 2; time++) await (await serve(readConfig(env))).close()
    expect(existsSync(join(folder, 'blob-store'))).toBe(true)
    expect(existsSync(join(folder, 'blobs'))).toBe(false)
  })

  test('and a module is reported by doctor', async () => {
    const folder = installation()
    const { DATA_DIR, BLOB_STORE } = withModule(folder)
    const findings = await runDoctor({ DATA_DIR, BLOB_STORE })
    // The module lacks the memories of the folder, which has its own finding.
    expect(namesOf(findings, 'fail')).toEqual(['memories', 'blob-store'])
    const { sentence } = findings.find(({ name }) => name === 'blob-store') ?? {}
    expect(sentence).toContain('unset it')
  })
})

describe('a folder whose blobs a module stores', () => {
  const used = () => {
    const folder = installation()
    renameSync(join(folder, 'blobs'), join(folder, 'old-blobs'))
    mkdirSync(join(folder, 'blob-store'))
    return folder
  }

  test('refuses a start without the module until it has blobs', async () => {
    const folder = used()
    await expect(startServer(folder)).rejects.toMatchObject(refusal)
    expect(existsSync(join(folder, 'blobs'))).toBe(false)
    renameSync(join(folder, 'old-blobs'), join(folder, 'blobs'))
    await (await startServer(folder)).close()
  })

  test('is reported by doctor without the module', async () => {
    const { name, sentence } = (await onlyFailure({ DATA_DIR: used() })) ?? {}
    expect([name, sentence]).toEqual(['blob-store', expect.stringContaining('set it as before')])
  })
})
