import { execFileSync, spawn } from 'node:child_process'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pkcs11KeyService } from '../../packages/adapters/src/ledger/signer/index.ts'
import { end, firstLine } from '../harness/process/child-process.ts'
import { pin, placeOf, type SoftHsm, startSoftHsm } from '../harness/process/soft-hsm.ts'
import { longestWait } from '../tier.ts'

let hsm: SoftHsm
beforeAll(async () => {
  hsm = await startSoftHsm()
  await hsm.addKey('foreign-curve', '0a', 'prime256v1')
  await hsm.addKey('twins', '0b')
  await hsm.addKey('twins', '0c')
})
afterAll(() => hsm?.stop())

type Service = ReturnType<typeof pkcs11KeyService>

let open: Service[] = []
beforeEach(() => async () => {
  await Promise.all(open.map((service) => service.close?.()))
  open = []
})

function serviceOf(place: object = {}, options: Partial<pkcs11KeyService.Options> = {}): Service {
  const { env } = hsm.remote
  const found = { ...placeOf(hsm.remote, 'agent'), ...place }
  const usual = { place: found, pin: () => pin, env, timeout: longestWait }
  const service = pkcs11KeyService({ ...usual, ...options })
  open.push(service)
  return service
}

const digest = new Uint8Array(32).fill(7)
const down = { code: 'key-service/unavailable' }

/** Returns the id and the arguments of each process that another one runs for a module. */
const children = (parent = process.pid): readonly string[] =>
  execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([of, , ...args]) => of === `${parent}` && args.join(' ').includes('pkcs11-program'))
    .map(([, ...rest]) => rest.join(' '))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a service that was killed is down at once, and is used again when it is back', async () => {
  const service = serviceOf()
  const key = await service.publicKey()
  for (let turn = 0; turn < 2; turn += 1) {
    await hsm.signal('SIGKILL')
    await expect(service.sign(digest)).rejects.toMatchObject(down)
    await expect(service.publicKey()).rejects.toMatchObject(down)
    await hsm.start()
    expect((await service.sign(digest)).length).toBe(64)
    expect(await service.publicKey()).toEqual(key)
  }
})

test('a service that was restarted between two requests is not noticed', async () => {
  const service = serviceOf()
  await service.sign(digest)
  await hsm.signal('SIGKILL')
  await hsm.start()
  expect((await service.sign(digest)).length).toBe(64)
})

test('a service that hangs costs one timeout, however many wait, and blocks nothing afterwards', async () => {
  const service = serviceOf({}, { timeout: 2000 })
  // On a busy machine the process of the module takes longer to start.
  const untilSigned = () =>
    expect.poll(async () => (await service.sign(digest).catch(() => '')).length).toBe(64)
  await untilSigned()
  await hsm.signal('SIGSTOP')
  const timeOf = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const one = await timeOf(() => expect(service.sign(digest)).rejects.toMatchObject(down))
  const startedAt = performance.now()
  const requests = Array.from({ length: 8 }, () => service.sign(digest))
  for (const result of await Promise.allSettled(requests)) {
    expect(result).toMatchObject({ status: 'rejected', reason: down })
  }
  // One after the other they would take eight times as long.
  expect(performance.now() - startedAt).toBeLessThan(4 * one)
  await hsm.signal('SIGCONT')
  await untilSigned()
})

test('a process of the module that dies is replaced, and none is left after closing', async () => {
  const service = serviceOf()
  await service.sign(digest)
  const [before] = children()
  process.kill(Number.parseInt(before ?? '', 10), 'SIGKILL')
  await expect.poll(() => children()).toEqual([])
  expect((await service.sign(digest)).length).toBe(64)
  await service.close?.()
  expect(children()).toEqual([])
  await expect(service.sign(digest)).rejects.toMatchObject(down)
  expect(children()).toEqual([])
})

test('the process of the module ends when that of the server is killed', async () => {
  const entry = new URL('../../packages/adapters/src/ledger/signer/index.ts', import.meta.url)
  const script = `
    import { pkcs11KeyService } from '${entry}'
    const { pin, ...options } = JSON.parse(process.env.OPTIONS)
    await pkcs11KeyService({ ...options, pin: () => pin }).publicKey()
    console.log('ready')
    setInterval(() => undefined, 1000)`
  const { env } = hsm.remote
  const OPTIONS = JSON.stringify({ place: placeOf(hsm.remote, 'agent'), pin, env })
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, OPTIONS },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await firstLine(server.stdout)
  const [line = ''] = children(server.pid)
  const pid = Number.parseInt(line, 10)
  expect(() => process.kill(pid, 0)).not.toThrow()
  await end(server, 'SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('a wrong PIN is sent once, and stands in no failure, argument or line', async () => {
  const wrong = 'a wrong pin of the test'
  let reads = 0
  const service = serviceOf(
    {},
    {
      pin: () => {
        reads += 1
        return wrong
      },
    },
  )
  const refused = { code: 'config/invalid', facts: { name: 'AGENT_KEY_PIN' } }
  const failures: unknown[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const failure = await service.sign(digest).catch((error: unknown) => error)
    expect(failure).toMatchObject(refused)
    failures.push(failure)
  }
  expect(reads).toBe(1)
  expect(inspect(failures, { depth: 10, showHidden: true })).not.toContain(wrong)
  // The right PIN still works: the token was not locked.
  const right = serviceOf()
  await right.sign(digest)
  expect(children().join()).not.toContain(pin)
})

test('a crash of the library writes no dump, which would hold the PIN', () => {
  const place = new URL('../../packages/adapters/', import.meta.url)
  const script = `
    import { createRequire } from 'node:module'
    import { loadModule } from '${place}src/ledger/signer/pkcs11/pkcs11-module.ts'
    loadModule(process.env.MODULE)
    const ffi = createRequire('${place}package.json')('koffi')
    const isDumpable = 3
    console.log(ffi.load(null).func('prctl', 'int', ['int'])(isDumpable))`
  const env = { ...process.env, ...hsm.direct.env, MODULE: hsm.direct.module }
  const words = ['--input-type=module', '-e', script]
  expect(execFileSync(process.execPath, words, { env, encoding: 'utf8' })).toBe('0\n')
})

test.each([
  ['no such key', { object: 'nobody' }, 'names no private key'],
  ['more than one key', { object: 'twins' }, 'more than one key'],
  ['a key of another curve', { object: 'foreign-curve' }, 'another curve'],
  ['no such library', { module: '/nowhere/library.so' }, 'no PKCS#11 library'],
  ['a library of another kind', { module: process.execPath }, 'no PKCS#11 library'],
])('refuses %s as a setting to correct', async (_, place, problem) => {
  const service = serviceOf(place)
  await expect(service.publicKey()).rejects.toMatchObject({
    code: 'config/invalid',
    facts: { name: 'AGENT_KEY_SERVICE', problem: expect.stringContaining(problem) },
  })
})

test('finds a key by its id, and one of two labels', async () => {
  const byId = serviceOf({ object: undefined, id: '0b' })
  const byBoth = serviceOf({ object: 'twins', id: '0c' })
  const [one, other] = [await byId.publicKey(), await byBoth.publicKey()]
  expect(one).not.toEqual(other)
})

test('a token that is not there is down, since it may come back', async () => {
  const service = serviceOf({ token: 'elsewhere' })
  await expect(service.publicKey()).rejects.toMatchObject(down)
})
