import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { folder, here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const file = (name: string) => join(folder, name)
const stranger = () => ({ env: { HEIRLOOM_URL: here.HEIRLOOM_URL } })

// Numbers that JavaScript cannot hold, members out of order, and spaces where some like them.
const text =
  '{"data": {"n":12345678901234567890123,"a":1.0,"__proto__":{"b":"\\u00e9"}}  ,"metadata":{"category":"x"}}'
const document =
  '{"data":{"n":12345678901234567890123,"a":1.0,"__proto__":{"b":"\\u00e9"}},"metadata":{"category":"x"}}'

async function snapshot(input: string, ...words: string[]): Promise<string> {
  const { code, out, err } = await run(['snapshot', '-', '--json', ...words], { env: here, input })
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out).tokenId
}

describe('a memory', () => {
  test('comes back byte for byte, through pipes and files', async () => {
    const id = await snapshot(text)
    expect(await run(['download', id], { env: here })).toEqual({ code: 0, out: document, err: '' })
    writeFileSync(file('in.json'), text)
    const other = await runJson('snapshot', file('in.json'))
    await runJson('download', `${other.tokenId}`, '-o', file('out.json'))
    expect(readFileSync(file('out.json'), 'utf8')).toBe(document)
    expect(statSync(file('out.json')).mode & 0o777).toBe(0o600)
  })

  test('is the whole input as data where a category is given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
        const input = `\n ${JSON.stringify(data, undefined, 1)} `
        const id = await snapshot(input, '--category', 'research')
        const { out } = await run(['download', id], { env: here })
        expect(out).toBe(`{"data":${input.trim()},"metadata":{"category":"research"}}`)
      }),
      { numRuns: 10 },
    )
  })

  test('is one JSON document with --json, its numbers as they are', async () => {
    const { out } = await run(['download', await snapshot(text), '--json'], { env: here })
    expect(JSON.parse(out)).toMatchObject({ salt: expect.stringMatching(/^0x\w{64}$/) })
    expect(out.slice(0, -1)).toMatch(/^\{"tokenId":"\d+","contentHash":"0x\w{64}",/)
    expect(out).toContain(document.slice(1))
  })

  test('shows a terminal nothing but text', async () => {
    const id = await snapshot('{"a":"\u{9B}31m\u{202E}"}', '--category', 'x')
    const { out } = await run(['download', id], { env: here, isTTY: true })
    expect(out).toContain('{"a":"\\u009b31m\\u202e"}')
  })

  test('is refused where it is none, before anything is sent', async () => {
    const refused = async (input: string, ...words: string[]) => {
      const ended = await run(['snapshot', '-', '--json', ...words], { env: stranger().env, input })
      return [ended.code, JSON.parse(ended.err).code]
    }
    expect(await refused('not JSON')).toEqual([2, 'json/malformed'])
    expect(await refused('{}')).toEqual([2, 'bundle/malformed'])
    expect(await refused(text, '--category', 'x')).toEqual([2, 'command/usage'])
    expect(await refused(text, '--tags', 'a,b')).toEqual([2, 'command/usage'])
    expect(await run(['snapshot', file('nothing')])).toMatchObject({ code: 2, out: '' })
  })

  test('with --dry-run is told of, and not sent', async () => {
    const told = ['--title', 'A year', '--tags', 'a, b', '--parent', '1', '--dry-run', '--json']
    const { out } = await run(['snapshot', '-', ...told], { env: here, input: text })
    expect(JSON.parse(out)).toMatchObject({
      dryRun: true,
      request: {
        path: '/api/memory/snapshot',
        body: { parentTokenId: '1', card: { title: 'A year', tags: ['a', 'b'] } },
      },
    })
    const { items } = await runJson('browse', '--all', 'A year')
    expect(items).toEqual([])
  })
})

describe('who may not open a memory', () => {
  test('is told so, and nothing is written', async () => {
    const id = await mintToken()
    const other = { env: { ...here, HEIRLOOM_PRIVATE_KEY: `${walletKeys[1]}` } }
    const words = ['download', id, '-o', file('theirs.json'), '--json']
    const refused = await run(words, other)
    expect([refused.code, JSON.parse(refused.err).code]).toEqual([4, 'access/denied'])
    const nobody = await run(words, stranger())
    expect([nobody.code, JSON.parse(nobody.err).code]).toEqual([4, 'client/no-account'])
    expect(() => statSync(file('theirs.json'))).toThrow()
    expect(() => statSync(file('theirs.json.salt'))).toThrow()
  })
})

describe('a downloaded file', () => {
  const downloaded = async () => {
    const id = await mintToken({ many: 'words' })
    await runJson('download', id, '-o', file('mem.json'))
    return id
  }

  test('is verified with the salt beside it, by anybody', async () => {
    const id = await downloaded()
    const { code, out } = await run(['verify', id, file('mem.json'), '--json'], stranger())
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { verified: true, against: 'the record of the server' },
    ])
  })

  test('is verified against the chain, so that the server need not be believed', async () => {
    const id = await downloaded()
    const { registry, marketplace } = (await (
      await fetch(new URL('/api/deployment', here.HEIRLOOM_URL))
    ).json()) as { readonly [name: string]: string }
    const rpc = ['--rpc-url', `${here.HEIRLOOM_URL}/rpc`]
    const told = await runJson('verify', id, file('mem.json'), ...rpc, '--registry', `${registry}`)
    expect(told).toMatchObject({ verified: true, against: 'the chain' })
    await runJson('download', id, '-o', file('mem.json'), ...rpc, '--registry', `${registry}`)
    const astray = await run(
      ['verify', id, file('mem.json'), ...rpc, '--registry', `${marketplace}`],
      { env: here },
    )
    expect(astray.code).not.toBe(0)
    expect(await run(['verify', id, file('mem.json'), ...rpc], { env: here })).toMatchObject({
      code: 2,
    })
  })

  test('is found altered wherever a byte of it or of its salt is', async () => {
    const id = await downloaded()
    const [whole, salt] = [
      readFileSync(file('mem.json')),
      readFileSync(file('mem.json.salt'), 'utf8'),
    ]
    const altered = () => run(['verify', id, file('mem.json'), '--json'], stranger())
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const other = Buffer.from(whole)
          other[at] = (other[at] ?? 0) ^ by
          writeFileSync(file('mem.json'), other)
          const { code, err } = await altered()
          expect([code, JSON.parse(err).code]).toEqual([8, 'client/not-verified'])
        },
      ),
      { numRuns: 10 },
    )
    writeFileSync(file('mem.json'), whole)
    writeFileSync(
      file('mem.json.salt'),
      salt.replace(/.\n$/, (it) => (it === '0\n' ? '1\n' : '0\n')),
    )
    expect((await altered()).code).toBe(8)
    expect((await run(['verify', await mintToken(), file('mem.json')], stranger())).code).toBe(8)
  })

  test('is verified with the headers that curl kept, or what --json told', async () => {
    const id = await downloaded()
    const salt = readFileSync(file('mem.json.salt'), 'utf8').trim()
    rmSync(file('mem.json.salt'))
    for (const kept of [
      `HTTP/1.1 200 OK\r\nx-content-hash: 0x${'1'.repeat(64)}\r\nX-Content-Salt: ${salt}\r\n\r\n`,
      JSON.stringify({ tokenId: id, contentHash: `0x${'1'.repeat(64)}`, salt }),
    ]) {
      writeFileSync(file('kept'), kept)
      expect(
        (await run(['verify', id, file('mem.json'), '--salt', file('kept')], stranger())).code,
      ).toBe(0)
    }
    writeFileSync(file('kept'), 'nothing of the kind')
    expect(
      (await run(['verify', id, file('mem.json'), '--salt', file('kept')], stranger())).code,
    ).toBe(2)
  })

  test('without a salt is compared with what the wallet may download', async () => {
    const id = await downloaded()
    rmSync(file('mem.json.salt'))
    expect(await runJson('verify', id, file('mem.json'))).toMatchObject({ verified: true })
    writeFileSync(file('mem.json'), '{}')
    expect((await run(['verify', id, file('mem.json')], { env: here })).code).toBe(8)
    expect((await run(['verify', id, file('mem.json')], stranger())).code).toBe(2)
  })
})
