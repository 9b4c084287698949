import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletKeys } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { folder, here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const file = (name: string) => join(folder, name)
const stranger = () => ({ env: { HEIRLOOM_URL: here.HEIRLOOM_URL } })

// Numbers beyond the precision of JavaScript, unsorted members, and unusual spaces.
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
  test('is downloaded byte for byte, through pipes and files', async () => {
    const id = await snapshot(text)
    expect(await run(['download', id], { env: here })).toEqual({ code: 0, out: document, err: '' })
    writeFileSync(file('in.json'), text)
    const other = await runJson('snapshot', file('in.json'))
    await runJson('download', `${other.tokenId}`, '-o', file('out.json'))
    expect(readFileSync(file('out.json'), 'utf8')).toBe(document)
    expect(statSync(file('out.json')).mode & 0o777).toBe(0o600)
  })

  test('is the whole input as data with --category', async () => {
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

  test('is one JSON document with --json, with unchanged numbers', async () => {
    const { out } = await run(['download', await snapshot(text), '--json'], { env: here })
    expect(JSON.parse(out)).toMatchObject({ salt: expect.stringMatching(/^0x\w{64}$/) })
    expect(out.slice(0, -1)).toMatch(/^\{"tokenId":"\d+","contentHash":"0x\w{64}",/)
    expect(out).toContain(document.slice(1))
  })

  test('puts no control characters on a terminal', async () => {
    const id = await snapshot('{"a":"\u{9B}31m\u{202E}"}', '--category', 'x')
    const { out } = await run(['download', id], { env: here, isTTY: true })
    expect(out).toContain('{"a":"\\u009b31m\\u202e"}')
  })

  test('is refused when it is malformed, before anything is sent', async () => {
    const refused = async (input: string, ...words: string[]) => {
      const result = await run(['snapshot', '-', '--json', ...words], {
        env: stranger().env,
        input,
      })
      return [result.code, JSON.parse(result.err).code]
    }
    // Other files than JSON are imported, as the message says.
    expect(await refused('not JSON')).toEqual([2, 'command/usage'])
    expect(await refused('{}')).toEqual([2, 'command/usage'])
    expect(await refused('[1]', '--category', 'x')).toEqual([2, 'command/usage'])
    expect(await refused('{"data":1}')).toEqual([2, 'command/usage'])
    expect(await refused('{"data":1,"metadata":{}}')).toEqual([2, 'bundle/malformed'])
    expect(await refused(text, '--category', 'x')).toEqual([2, 'command/usage'])
    expect(await refused(text, '--tags', 'a,b')).toEqual([2, 'command/usage'])
    expect(await run(['snapshot', file('nothing')])).toEqual({
      code: 2,
      out: '',
      err: `Cannot read ${file('nothing')}: no such file.\n`,
    })
  })

  test('is described and not sent with --dry-run', async () => {
    const options = ['--title', 'A year', '--tags', 'a, b', '--parent', '1', '--dry-run', '--json']
    const { out } = await run(['snapshot', '-', ...options], { env: here, input: text })
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

describe('a wallet without the right', () => {
  test('is refused, and nothing is written', async () => {
    const id = await mintToken()
    const other = { env: { ...here, HEIRLOOM_PRIVATE_KEY: `${walletKeys[1]}` } }
    const words = ['download', id, '-o', file('theirs.json'), '--json']
    const refused = await run(words, other)
    expect([refused.code, JSON.parse(refused.err).code]).toEqual([4, 'access/denied'])
    const noWallet = await run(words, stranger())
    expect([noWallet.code, JSON.parse(noWallet.err)]).toMatchObject([
      4,
      {
        code: 'client/no-account',
        message: expect.stringMatching(
          /^No wallet of your own\. Make one with heirloom login, or set /,
        ),
      },
    ])
    expect((await run(['grants'], stranger())).err).toMatch(/^No wallet of your own\./)
    expect(() => statSync(file('theirs.json'))).toThrow()
    expect(() => statSync(file('theirs.json.salt'))).toThrow()
  })
})

describe('a downloaded file', () => {
  const downloaded = async () => {
    const id = await mintToken({ many: 'words' })
    await runJson('download', id, '-o', file('mem.json'), '--force')
    return id
  }

  test('is not replaced by another download without --force', async () => {
    const id = await downloaded()
    const before = readFileSync(file('mem.json'))
    const again = await run(['download', id, '-o', file('mem.json')], { env: here })
    expect([again.code, again.out]).toEqual([2, ''])
    expect(again.err).toBe(
      `${file('mem.json')} exists. Choose another name, or pass --force to replace it.\n`,
    )
    expect(readFileSync(file('mem.json'))).toEqual(before)
  })

  test('is verified with its salt file, without a wallet', async () => {
    const id = await downloaded()
    const { code, out } = await run(['verify', id, file('mem.json'), '--json'], stranger())
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { verified: true, against: 'the chain, as the server reports it' },
    ])
  })

  test('is verified against the chain, without trusting the server', async () => {
    const id = await downloaded()
    const { registry, marketplace } = (await (
      await fetch(new URL('/api/deployment', here.HEIRLOOM_URL))
    ).json()) as { readonly [name: string]: string }
    const rpc = ['--rpc-url', `${here.HEIRLOOM_URL}/rpc`]
    const verified = await runJson(
      'verify',
      id,
      file('mem.json'),
      ...rpc,
      '--registry',
      `${registry}`,
    )
    expect(verified).toMatchObject({ verified: true, against: 'the chain' })
    await runJson(
      'download',
      id,
      '-o',
      file('mem.json'),
      '--force',
      ...rpc,
      '--registry',
      `${registry}`,
    )
    const wrongRegistry = await run(
      ['verify', id, file('mem.json'), ...rpc, '--registry', `${marketplace}`],
      { env: here },
    )
    expect(wrongRegistry.code).not.toBe(0)
    expect(await run(['verify', id, file('mem.json'), ...rpc], { env: here })).toMatchObject({
      code: 2,
    })
  })

  test('is not verified when any byte of it or of its salt was changed', async () => {
    const id = await downloaded()
    const [whole, salt] = [
      readFileSync(file('mem.json')),
      readFileSync(file('mem.json.salt'), 'utf8'),
    ]
    const verifyAltered = () => run(['verify', id, file('mem.json'), '--json'], stranger())
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const other = Buffer.from(whole)
          other[at] = (other[at] ?? 0) ^ by
          writeFileSync(file('mem.json'), other)
          const { code, err } = await verifyAltered()
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
    expect((await verifyAltered()).code).toBe(8)
    expect((await run(['verify', await mintToken(), file('mem.json')], stranger())).code).toBe(8)
  })

  test('is verified with headers saved by curl, or with the output of --json', async () => {
    const id = await downloaded()
    const salt = readFileSync(file('mem.json.salt'), 'utf8').trim()
    rmSync(file('mem.json.salt'))
    for (const saltText of [
      `HTTP/1.1 200 OK\r\nx-content-hash: 0x${'1'.repeat(64)}\r\nX-Content-Salt: ${salt}\r\n\r\n`,
      JSON.stringify({ tokenId: id, contentHash: `0x${'1'.repeat(64)}`, salt }),
    ]) {
      writeFileSync(file('saved'), saltText)
      expect(
        (await run(['verify', id, file('mem.json'), '--salt', file('saved')], stranger())).code,
      ).toBe(0)
    }
    writeFileSync(file('saved'), 'no salt')
    expect(
      (await run(['verify', id, file('mem.json'), '--salt', file('saved')], stranger())).code,
    ).toBe(2)
  })

  test('is compared with a download when there is no salt', async () => {
    const id = await downloaded()
    rmSync(file('mem.json.salt'))
    expect(await runJson('verify', id, file('mem.json'))).toMatchObject({
      verified: true,
      against: 'the downloaded memory, whose hash matches the chain, as the server reports it',
    })
    writeFileSync(file('mem.json'), '{}')
    expect((await run(['verify', id, file('mem.json')], { env: here })).code).toBe(8)
    expect((await run(['verify', id, file('mem.json')], stranger())).code).toBe(2)
  })

  test('says that only what is around the members differs, as in the file of an editor', async () => {
    const id = await downloaded()
    writeFileSync(file('mem.json'), `${readFileSync(file('mem.json'), 'utf8')}\n`)
    for (const salt of ['there', 'gone']) {
      if (salt === 'gone') rmSync(file('mem.json.salt'))
      const { code, err } = await run(['verify', id, file('mem.json')], { env: here })
      expect([salt, code, err]).toEqual([salt, 8, expect.stringContaining('more around them')])
    }
  })
})
