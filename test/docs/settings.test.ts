import { expect, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import type { Environment } from '../../packages/http/src/config/environment.ts'
import { settingNames } from '../../packages/http/src/config/settings.ts'
import { settingsPage } from '../../publish/settings.ts'
import { read } from './docs.ts'

test('docs/settings.md has the table of settings; `pnpm settings` writes it anew', () => {
  expect(read('docs/settings.md')).toBe(settingsPage())
})

/** Settings that together let every reader of a variable run. */
const environments: readonly Environment[] = [
  {},
  {
    RPC_URL: 'http://127.0.0.1:8545',
    AGENT_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
    MASTER_KEYS: '7'.repeat(64),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  },
  {
    AGENT_KEY_SERVICE: 'pkcs11:object=agent?module-path=/usr/lib/softhsm/libsofthsm2.so',
    AGENT_KEY_PIN: '1234',
    AGENT_ADDRESS: `0x${'1'.repeat(40)}`,
  },
]

test('a server reads every setting of the table', () => {
  const wasRead = new Set<string>()
  const note = (target: Environment, name: string | symbol) => {
    wasRead.add(String(name))
    return Reflect.get(target, name)
  }
  for (const environment of environments) readConfig(new Proxy(environment, { get: note }))
  expect([...wasRead].toSorted()).toEqual([...settingNames].toSorted())
})
