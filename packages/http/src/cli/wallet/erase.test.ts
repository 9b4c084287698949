import { expect, test } from 'vitest'
import { here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'
import { type Interceptor, interceptingProxy } from '../../../test/intercepting-proxy.ts'

withServer()

/** Mints a token and a fork of it, which has the same memory and the same owner. */
async function forked() {
  const id = await mintToken()
  await runJson('list', id, '--fork-price', '7gwei')
  const { tokenId: child } = await runJson('fork', id, '--max-price', '7gwei')
  return { id, child: `${child}` }
}

const erase = (id: string, ...more: readonly string[]) =>
  run(['erase', id, '--as-agent', ...more], { env: here })

test('names every token that loses its memory, before and after', async () => {
  const { id, child } = await forked()
  const listed = await erase(child, '--yes')
  expect([listed.code, listed.err]).toEqual([
    5,
    `Token ${id} has the same memory as token ${child}, and is listed, so somebody could pay for what is being erased; take the listing of token ${id} down first.\n`,
  ])
  await runJson('unlist', id)
  const refused = await erase(child)
  expect([refused.code, refused.err]).toEqual([
    2,
    `Erasing the memory of token ${child} also takes it from token ${id}, which has the same memory. It is gone for ever: pass --yes to erase it.\n`,
  ])
  const erased = await erase(child, '--yes')
  expect([erased.code, erased.err]).toEqual([0, ''])
  expect(erased.out).toContain(`the memory of token ${child}, on `)
  expect(erased.out).toMatch(new RegExp(`Also gone +from token ${id}, which had the same memory`))
  const again = await runJson('erase', child, '--as-agent', '--yes')
  expect(again).toMatchObject({ tokenId: child, alsoErased: [id] })
  const download = await run(['download', id], { env: here })
  expect(download.code).toBe(3)
})

test('names no other token where the memory has one', async () => {
  const id = await mintToken({ mood: 'alone' })
  const refused = await erase(id)
  expect([refused.code, refused.err]).toEqual([
    2,
    'An erased memory is gone for ever: pass --yes to erase it.\n',
  ])
  expect((await erase(id, '--yes')).out).not.toContain('Also gone')
})

/** Erases a memory through a proxy that changes replies, and returns the exit code and the output. */
async function eraseThrough(id: string, interceptor: Interceptor, ...more: readonly string[]) {
  await using proxy = await interceptingProxy(here.HEIRLOOM_URL)
  proxy.intercept(interceptor)
  return await run(['erase', id, '--as-agent', '--yes', ...more], {
    env: { ...here, HEIRLOOM_URL: proxy.url },
  })
}

const isListOfTokens = (path: string) => path.startsWith('/api/memory?')

test('says that a memory is erased where the tokens that lost it too cannot be read', async () => {
  const silent: Interceptor = async ({ path }, forward) =>
    isListOfTokens(path) ? { status: 404, headers: {}, body: '' } : forward()
  const erased = await eraseThrough(await mintToken({ mood: 'gone' }), silent)
  expect([erased.code, erased.err]).toEqual([0, ''])
  expect(erased.out).toMatch(/^Erased .*\nAlso gone +not known: the server did not list/)
  const value = await eraseThrough(await mintToken({ mood: 'lost' }), silent, '--json')
  expect(JSON.parse(value.out)).not.toHaveProperty('alsoErased')
})

test('ends where the server lists tokens without an end', async () => {
  let pages = 0
  const endless: Interceptor = async ({ path }, forward) => {
    if (!isListOfTokens(path)) return forward()
    const body = JSON.stringify({ items: [], next: `${pages++ % 2}` })
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
  const erased = await eraseThrough(await mintToken({ mood: 'endless' }), endless)
  expect([erased.code, pages]).toEqual([0, 3])
})
