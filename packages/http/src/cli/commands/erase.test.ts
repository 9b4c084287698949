import { expect, test } from 'vitest'
import { here, mintToken, run, runJson, withServer } from '../../../test/command-harness.ts'

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
