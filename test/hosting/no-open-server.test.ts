import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../packages/http/test/command-harness.ts'
import { interpolate, readDeployed, readYaml } from '../harness/hosting/files.ts'

type Variables = Readonly<Record<string, string>>

/** Returns the variables of lines such as `NAME=value`, after a word where there is one. */
const assigned = (text: string, before = ''): Variables =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${before}\\s*([A-Z_]+)=(\\S*)`, 'gm'))].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

const image = assigned(readDeployed('Dockerfile'), '(?:ENV)?')
const example = assigned(readDeployed('systemd/heirloom.env.example'))
const unit = assigned(readDeployed('systemd/heirloom.service'), 'Environment=')

type Compose = { readonly services: Record<string, { readonly environment: Variables }> }
const compose = readYaml<Compose>('compose.yaml')[0]?.services.heirloom?.environment ?? {}
const composed = Object.fromEntries(
  Object.entries(compose).map(([name, text]) => [name, interpolate(text, {})]),
)

type ConfigMap = { readonly data: Variables }
const [{ data: cluster } = { data: {} }] = readYaml<ConfigMap>('kubernetes/settings.yaml')
const secrets = { AGENT_PRIVATE_KEY: `0x${'1'.repeat(64)}`, MASTER_KEYS: '7'.repeat(64) }

test.each([
  ['the settings of the systemd unit', example],
  ['the systemd unit', { ...unit, ...example }],
  ['the image', image],
  ['compose.yaml', { ...image, ...composed }],
  ['the manifests for Kubernetes', { ...image, ...cluster, ...secrets, API_KEYS_FILE: '' }],
])('%s without API keys start no server, and say what to set', async (_, variables) => {
  const folder = mkdtempSync(join(tmpdir(), 'example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const DATA_DIR = join(folder, 'data')
  const given = { ...variables, MASTER_KEY_FILE: '', DATA_DIR, PORT: '0' }
  const { code, out, err } = await run(['serve'], { env: given })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^API_KEYS(_FILE)? .*heirloom api-key new/)
  const made = existsSync(DATA_DIR) ? readdirSync(DATA_DIR) : []
  expect(made.filter((name) => name !== 'lock.sqlite')).toEqual([])
})
