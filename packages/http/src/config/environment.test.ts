import { expect, test } from 'vitest'
import { misspeltVariables } from './environment.ts'
import { settingNames } from './settings.ts'

test('a variable that is one letter away from a setting is named with it', () => {
  const env = { DATBASE_URL: 'x', MASTER_KEY: 'x', BLOB_COPY: '2', LOGLEVEL: 'warn' }
  expect(misspeltVariables(env)).toEqual([
    'DATBASE_URL is set, and is no setting; DATABASE_URL is one.',
    'MASTER_KEY is set, and is no setting; MASTER_KEYS is one.',
    'BLOB_COPY is set, and is no setting; BLOB_COPIES is one.',
    'LOGLEVEL is set, and is no setting; LOG_LEVEL is one.',
  ])
})

test('settings and the variables of other programs are not', () => {
  const others = ['HOSTNAME', 'PATH', 'PWD', 'POST', 'PORTS', 'NODE_ENV', 'AWS_REGION', 'SHELL']
  const names = [...settingNames, ...others, 'HEIRLOOM_URL', 'DATABASE_NAME', 'KUBERNETES_PORT']
  expect(misspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([
    'PORTS is set, and is no setting; PORT is one.',
  ])
})
