import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

const minutes = 60_000

let registry: Published
let somebody: Stranger
beforeAll(async () => {
  registry = await publish()
  somebody = stranger(registry.url)
}, 5 * minutes)
afterAll(async () => {
  somebody.remove()
  await registry.close()
})

const agentFile = JSON.stringify({
  agents: [{ name: 'Loop', system: 'You remember.', llm_config: {}, secrets: null }],
  blocks: [{ label: 'human', value: 'Name: Ada' }],
  tools: [],
})

it('takes less than five minutes from an empty folder to a memory that was sold and restored', {
  timeout: 10 * minutes,
}, async () => {
  const { folder, run, serve, write } = somebody
  cpSync(join(import.meta.dirname, 'stranger'), folder, { recursive: true })
  write('loop.af', agentFile)
  const began = performance.now()

  await run('npm install @heirloom/http viem @modelcontextprotocol/client')
  const server = await serve('npx heirloom')
  const here = { HEIRLOOM_URL: server.url }
  const walked = await run('bash walk.sh', here)
  const agents = await run('node agent.mjs', here)
  await server.end()

  expect(performance.now() - began).toBeLessThan(5 * minutes)
  expect(walked).toMatch(/Listed +token 1\n/)
  expect(walked).toMatch(/1 “What Loop knows” by 0x\w{40} ◀/)
  const bought = readFileSync(join(folder, 'bought.json'), 'utf8')
  expect(JSON.stringify(JSON.parse(bought).data)).toBe(agentFile)
  expect(agents).toBe('bought token 2\n')
})
