import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { type Published, publish } from '../harness/packages/publish.ts'

const minutes = 60_000

let registry: Published
let project: Stranger
beforeAll(async () => {
  registry = await publish()
  project = stranger(registry.url)
})
afterAll(async () => {
  project.remove()
  await registry.close()
})

const agentFile = JSON.stringify({
  agents: [{ name: 'Loop', system: 'You remember.', llm_config: {}, secrets: null }],
  blocks: [{ label: 'human', value: 'Name: Ada' }],
  tools: [],
})

it('a stranger sells and restores a memory within five minutes of an empty folder', async () => {
  const { folder, run, serve, write } = project
  cpSync(join(import.meta.dirname, 'stranger'), folder, { recursive: true })
  write('loop.af', agentFile)
  const began = performance.now()

  await run('npm install @heirloom/http viem @modelcontextprotocol/client')
  const server = await serve('npx heirloom serve')
  const environment = { HEIRLOOM_URL: server.url }
  const output = await run('bash walk.sh', environment)
  const agentOutput = await run('node agent.mjs', environment)
  await server.end()

  expect(performance.now() - began).toBeLessThan(5 * minutes)
  expect(output).toMatch(/Listed +token 1\n/)
  expect(output).toMatch(/1 “What Loop knows” by 0x\w{40} ◀/)
  const bought = readFileSync(join(folder, 'bought.json'), 'utf8')
  expect(JSON.stringify(JSON.parse(bought).data)).toBe(agentFile)
  expect(agentOutput).toBe('bought token 2\n')
})
