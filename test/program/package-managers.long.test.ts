import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherPlatforms, type Stranger, stranger } from '../harness/docs/stranger.ts'
import { expectToServe } from '../harness/packages/expect-to-serve.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

let registry: Published
let pnpm: Stranger
let yarn: Stranger
beforeAll(async () => {
  registry = await publish()
  ;[pnpm, yarn] = [stranger(registry.url), stranger(registry.url)]
  yarn.write('package.json', JSON.stringify({ resolutions: otherPlatforms() }))
  await Promise.all([pnpm.run('pnpm add @heirloom/http'), yarn.run('yarn add @heirloom/http')])
})
afterAll(async () => {
  for (const one of [pnpm, yarn]) one?.remove()
  await registry?.close()
})

test('pnpm installs no test library with the server, whose doctor checks the laws all the same', async () => {
  const installed = readdirSync(join(pnpm.folder, 'node_modules/.pnpm'))
  expect(installed.some((name) => name.startsWith('@heirloom+adapters@'))).toBe(true)
  expect(installed.filter((name) => /^(fast-check|@heirloom\+testkit)@/.test(name))).toEqual([])
  await (await pnpm.serve('pnpm exec heirloom serve')).end()
  const report = await pnpm.run('pnpm exec heirloom doctor')
  expect(report).toMatch(/^ok +blob-store-laws +All \d+ laws hold here\.$/m)
})

test.each([
  ['pnpm', () => pnpm, 'pnpm exec heirloom serve'],
  ['Yarn, with its plug and play', () => yarn, 'yarn heirloom serve'],
])(
  'a user can start the server with %s, and store small and large memories',
  async (_, of, command) => {
    await expectToServe(of(), command)
  },
)

test('a user sees the required version on an older Node', async () => {
  pnpm.write('old.sh', "npx -y -p node@20 -c 'node node_modules/@heirloom/http/dist/cli.js'\n")
  await expect(pnpm.run('bash old.sh')).rejects.toThrow(
    /\nHeirloom needs Node 24 or newer; this is Node 20\./,
  )
})
