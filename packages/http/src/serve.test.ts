import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { serve } from './serve.ts'

function configured() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    config: readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' }),
  }
}

describe('a start of which one part fails', { timeout: 30_000 }, () => {
  test('lets go of the parts that opened meanwhile', async () => {
    const { folder, config } = configured()
    const jobs = join(folder, 'jobs.sqlite')
    mkdirSync(jobs)
    await expect(serve(config)).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { name: 'DATA_DIR' },
    })
    rmdirSync(jobs)
    const server = await serve(config)
    const ready = await fetch(new URL('/readyz', server.url))
    expect(ready.status).toBe(200)
    await server.close()
  })

  test('tells of the chain, whatever else fails', async () => {
    const { folder, config } = configured()
    mkdirSync(join(folder, 'jobs.sqlite'))
    writeFileSync(join(folder, 'blobs'), 'a file where a folder should be')
    writeFileSync(join(folder, 'chain.sqlite'), 'A text where a database should be. '.repeat(100))
    await expect(serve(config)).rejects.toMatchObject({ code: 'folder/unusable' })
  })
})
