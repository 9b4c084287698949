import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readKeyService } from './read-keys.ts'

const AGENT_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const module = '/usr/lib/softhsm/libsofthsm2.so'
const uri = `pkcs11:token=heirloom;object=agent?module-path=${module}`

const read = (text: string, more = {}) =>
  readKeyService({ AGENT_KEY_SERVICE: text, AGENT_ADDRESS, ...more })

/** Returns the failure of a setting, or what was read. */
function problemOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return isFailure(error, 'config/invalid') ? error.facts : error
  }
}

test('reads the URI of a key in a token', () => {
  const usual = { kind: 'pkcs11', address: AGENT_ADDRESS, pin: undefined, pinFile: undefined }
  const place = { module, token: 'heirloom', object: 'agent', serial: undefined, id: undefined }
  expect(read(uri)).toEqual({ ...usual, place })
  expect(read(uri, { AGENT_KEY_PIN: '1234' })).toEqual({ ...usual, place, pin: '1234' })
  expect(read(`${uri}&pin-source=file:/run/pin`)).toMatchObject({ pinFile: '/run/pin' })
  expect(read(`${uri}&pin-source=file:///run/pin`)).toMatchObject({ pinFile: '/run/pin' })
  expect(read(`pkcs11:id=%01%ff;serial=7?module-path=${module}`)).toMatchObject({
    place: { id: '01ff', serial: '7', token: undefined, object: undefined },
  })
})

test('reads every label back that is written as a URI', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (label) => {
      const text = `pkcs11:object=${encodeURIComponent(label)}?module-path=${module}`
      expect(read(text)).toMatchObject({ place: { object: label } })
    }),
  )
})

test('reads a module by its path or its package', () => {
  expect(read('/srv/kms.ts')).toEqual({
    kind: 'module',
    module: '/srv/kms.ts',
    address: AGENT_ADDRESS,
  })
  expect(read('@shop/kms')).toMatchObject({ module: '@shop/kms' })
  expect(readKeyService({})).toBeUndefined()
})

test.each([
  [{ AGENT_KEY_SERVICE: uri }, 'AGENT_ADDRESS', 'heirloom keys agent'],
  [{ AGENT_KEY_SERVICE: uri, AGENT_ADDRESS: '0x12' }, 'AGENT_ADDRESS', 'must be an address'],
  [{ AGENT_ADDRESS }, 'AGENT_ADDRESS', 'has no effect'],
  [{ AGENT_KEY_PIN: '1234' }, 'AGENT_KEY_PIN', 'has no effect'],
  [{ AGENT_KEY_SERVICE: './kms.ts', AGENT_ADDRESS, AGENT_KEY_PIN: '1' }, 'AGENT_KEY_PIN', 'module'],
  [
    { AGENT_KEY_SERVICE: uri, AGENT_ADDRESS, AGENT_PRIVATE_KEY: '1'.repeat(64) },
    ...(['AGENT_PRIVATE_KEY', 'left out'] as const),
  ],
])('refuses %j', (environment, name, problem) => {
  expect(problemOf(() => readKeyService(environment))).toMatchObject({
    name,
    problem: expect.stringContaining(problem),
  })
})

test.each([
  `${uri}&pin-value=1234`,
  `pkcs11:token=heirloom?module-path=${module}`,
  'pkcs11:object=agent',
  `pkcs11:object=agent;object=other?module-path=${module}`,
  `pkcs11:object=agent;colour=red?module-path=${module}`,
  `pkcs11:object=%zz?module-path=${module}`,
  `pkcs11:object=agent;type=cert?module-path=${module}`,
  `${uri}?token=1234`,
  `${uri}&pin-source=|cat 1234`,
  'https://1234:1234@kms.example',
])('refuses %s, without a word of it', (text) => {
  const facts = problemOf(() => read(text))
  expect(facts).toMatchObject({ name: 'AGENT_KEY_SERVICE' })
  expect(JSON.stringify(facts)).not.toContain('1234')
})
